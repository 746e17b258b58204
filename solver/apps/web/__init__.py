"""The page: static files that read the tables in the browser, with a server or without."""

from solver.apps.web.site import Site, export_site, site_directory

__all__ = ["Site", "export_site", "site_directory"]
