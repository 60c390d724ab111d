"""The audit of a whole deployment: does everything that is stored agree?"""
