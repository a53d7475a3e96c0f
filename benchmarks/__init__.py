"""Speed, measured against a floor in the same run; results are printed, never asserted."""
