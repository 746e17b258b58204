"""Front doors: each shows the same advice."""
