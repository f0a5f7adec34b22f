"""The generated part of the package: the shapes of bodies and answers, the routes and their methods."""
