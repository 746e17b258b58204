"""Races to a goal between policies: standings that fall as well as rise."""
