"""Batch runs: a file of prompts and text-to-image models, worked off into one record for each pair.

Stopped at any point, even killed, the same run goes on from there: nothing is lost, nothing is done
twice. Several processes share the work, each with a shard of its own.

    FOLDER/images/ID/cell-00.png   the images of one prompt by one text-to-image model
    FOLDER/records-1-of-1.jsonl    what is done, one record a line, in the order of doing
    FOLDER/records-1-of-1.bad      lines of it that were no records
    FOLDER/results.jsonl           once all is done, the same records model by model

A record is a report as `alignment.report` writes it, with an `id` and the hashes of its images, and
without seconds; of a search, its attempts and the hash of the image that it found.
"""
