"""The library of robots: by name, from files, in the form in which a diagram names them."""
