"""Films of moving bodies: GIF, MP4, HTML and strips for print."""
