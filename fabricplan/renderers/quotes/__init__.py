"""Quote to files, one module per format: for customers unless the name says ``internal``."""
