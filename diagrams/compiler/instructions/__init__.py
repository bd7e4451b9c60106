"""What a program does at each call, as a short list that every back end prints."""
