"""Addresses, a file for each part of the desk: every router that one of them makes is found."""

from tidings.web import routers_below

ROUTERS = routers_below(__name__)
