"""Signs a user in with Authlib, set up as in its manual: as a website, and as a plain session.

The environment has the gateway in GATEWAY, the application in CLIENT_ID, CLIENT_SECRET and
CALLBACK, and the password of the user `guest` in PASSWORD. The script prints each link to open as
a line of JSON, and reads the address that the browser was redirected to as a line. Its last line
of JSON is the result.
"""

import json
import os

from authlib.integrations.flask_client import OAuth
from authlib.integrations.requests_client import OAuth2Session
from flask import Flask, redirect

gateway = os.environ["GATEWAY"]
client = {"client_id": os.environ["CLIENT_ID"], "client_secret": os.environ["CLIENT_SECRET"]}
callback = os.environ["CALLBACK"]
token_url = f"{gateway}/oauth/token"


def opened(link):
    print(json.dumps({"open": link}), flush=True)
    return input()


def website():
    app = Flask("site")
    app.secret_key = "a secret of the site"
    gitlab = OAuth(app).register(
        "gitlab",
        **client,
        api_base_url=f"{gateway}/api/v4/",
        authorize_url=f"{gateway}/oauth/authorize",
        access_token_url=token_url,
        client_kwargs={"scope": "read_user"},
    )

    @app.route("/login")
    def login():
        return gitlab.authorize_redirect(callback)

    @app.route("/callback")
    def back():
        token = gitlab.authorize_access_token()
        return gitlab.get("user", token=token).json()

    visitor = app.test_client()
    location = opened(visitor.get("/login").headers["location"])
    return visitor.get(location.removeprefix(callback.removesuffix("/callback"))).get_json()["username"]


def session(**more):
    return OAuth2Session(**client, scope="read_user", redirect_uri=callback, token_endpoint=token_url, **more)


def by_code(**more):
    one = session(**more)
    verifier = {"code_verifier": "a" * 64} if more else {}
    link, state = one.create_authorization_url(f"{gateway}/oauth/authorize", **verifier)
    one.fetch_token(authorization_response=opened(link), state=state, **verifier)
    first = one.get(f"{gateway}/api/v4/user").json()["username"]
    one.refresh_token(token_url)
    return [first, one.get(f"{gateway}/api/v4/user").json()["username"]]


def by_fragment():
    one = session()
    link, state = one.create_authorization_url(f"{gateway}/oauth/authorize", response_type="token")
    one.fetch_token(authorization_response=opened(link), state=state)
    return one.get(f"{gateway}/api/v4/user").json()["username"]


def by_password():
    one = session()
    one.fetch_token(username="guest", password=os.environ["PASSWORD"])
    return one.get(f"{gateway}/api/v4/user").json()["username"]


def for_itself():
    return session().fetch_token(grant_type="client_credentials")["scope"]


print(
    json.dumps(
        {
            "website": website(),
            "code": by_code(),
            "code with PKCE": by_code(code_challenge_method="S256"),
            "in the body": by_code(token_endpoint_auth_method="client_secret_post", code_challenge_method="S256"),
            "fragment": by_fragment(),
            "password": by_password(),
            "itself": for_itself(),
        }
    )
)
