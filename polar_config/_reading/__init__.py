"""Text or plain data to objects, or to the report of everything that is wrong."""
