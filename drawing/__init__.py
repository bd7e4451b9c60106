"""Drawing: a diagram as a picture, laid out by ELK and printed as SVG, PNG, PDF or Mermaid text."""

if not __name__.startswith("blockdyn."):
    raise ImportError("this folder is a part of blockdyn: import blockdyn.drawing")
