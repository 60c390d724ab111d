"""What so many tournaments a day use of AWS, and which quota of an account ends that first."""
