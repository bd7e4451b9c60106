"""What a patient person writes by hand for one model: Dormand-Prince 5(4) in numba, nothing general."""
