"""Live runs are watched, touched and rewound while they run, in a page on this machine or a widget."""
