"""The blocks that bdsim finds."""

url = "https://github.com/petercorke/bdsim"
