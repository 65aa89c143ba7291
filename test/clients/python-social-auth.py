"""Signs a user in with python3-social-auth-core and its backend for GitLab.

Environment and lines of JSON as in `python-authlib.py`. The parts of a web framework (session,
request, user store) are as small as the library allows.
"""

import json
import os
from types import SimpleNamespace
from urllib.parse import parse_qsl, urlsplit

from social_core.backends.gitlab import GitLabOAuth2
from social_core.strategy import BaseStrategy


class Site(BaseStrategy):
    settings = {
        "SOCIAL_AUTH_GITLAB_API_URL": os.environ["GATEWAY"],
        "SOCIAL_AUTH_GITLAB_KEY": os.environ["CLIENT_ID"],
        "SOCIAL_AUTH_GITLAB_SECRET": os.environ["CLIENT_SECRET"],
        "PIPELINE": [
            "social_core.pipeline.social_auth.social_details",
            "social_core.pipeline.social_auth.social_uid",
            "social_core.pipeline.social_auth.auth_allowed",
            "__main__.remember",
        ],
    }

    def __init__(self):
        super().__init__()
        self.session = {}
        self.data = {}

    def get_setting(self, name):
        return self.settings[name]

    def request_data(self, merge=True):
        return self.data

    def redirect(self, url):
        return url

    def build_absolute_uri(self, path=None):
        return path

    def session_get(self, name, default=None):
        return self.session.get(name, default)

    def session_set(self, name, value):
        self.session[name] = value


def remember(details, uid, response, **_):
    return {"user": SimpleNamespace(details=details, uid=uid, refresh_token=response["refresh_token"])}


def main():
    site = Site()
    backend = GitLabOAuth2(site, redirect_uri=os.environ["CALLBACK"])
    print(json.dumps({"open": backend.start()}), flush=True)
    backend.data = site.data = dict(parse_qsl(urlsplit(input()).query))
    user = backend.complete()
    renewed = backend.refresh_token(user.refresh_token)
    return {"details": user.details, "uid": user.uid > 0, "renewed": backend.user_data(renewed["access_token"])["username"]}


print(json.dumps(main()))
