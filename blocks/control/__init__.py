"""Control: state feedback, optimal and scheduled."""
