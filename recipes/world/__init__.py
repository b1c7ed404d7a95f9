"""The world of stickers: scenes with ground truth, their captions, questions and pictures.

`things` says what exists, `scenes` puts it together, `captions` talks about it, `questions` asks
about it, `truth` knows the answer, `art` draws it and `splits` keeps test compositions apart.
"""
