"""Films show moving bodies as GIF, MP4, HTML and strips for print."""
