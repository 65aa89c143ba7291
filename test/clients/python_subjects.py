"""What the scripts for python3-gitlab share: a subject is a function whose result is printed as JSON, or its error."""

import json
import os
import traceback

import gitlab


def client(token):
    return gitlab.Gitlab(os.environ["GATEWAY"], private_token=token)


me = client(os.environ["TOKEN"])
me.auth()


def status(work):
    """The status of the answer that the client takes for an error."""
    try:
        work()
    except gitlab.exceptions.GitlabError as error:
        return error.response_code
    return None


def result(subject):
    try:
        return subject()
    except Exception:
        return traceback.format_exc()


def print_results(*subjects):
    """Works through the subjects: each goes on where the one before it ended."""
    print(json.dumps({subject.__name__.replace("_", " "): result(subject) for subject in subjects}))
