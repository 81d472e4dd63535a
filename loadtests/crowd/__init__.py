"""`make load`: a crowd of users on a server, by Locust."""
