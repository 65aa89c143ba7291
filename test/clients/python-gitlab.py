"""What python3-gitlab makes of a gateway: one subject after the other, told as JSON.

The gateway is named by GATEWAY, the tokens of a person and of an administrator
are in TOKEN and ADMINISTRATOR_TOKEN. What a subject raises is told in its place.
"""

import json
import os
import traceback

import gitlab

url = os.environ["GATEWAY"]
me = gitlab.Gitlab(url, private_token=os.environ["TOKEN"])
administrator = gitlab.Gitlab(url, private_token=os.environ["ADMINISTRATOR_TOKEN"])


def refusal(work):
    """The class of the error, its status, and what it says."""
    try:
        work()
    except gitlab.exceptions.GitlabError as error:
        return [type(error).__name__, error.response_code, str(error.error_message)]
    return None


def who():
    me.auth()
    return {
        "user": me.user.username,
        "version": me.version()[0] != "unknown",
        "emails": [email.email for email in me.user.emails.list()],
        "stranger": refusal(gitlab.Gitlab(url, private_token="garbage").auth),
    }


def groups():
    firm = me.groups.create({"name": "The Firm", "path": "py-firm", "visibility": "internal"})
    team = me.groups.create({"name": "Team", "path": "team", "parent_id": firm.id})
    me.groups.create({"name": "Squad", "path": "squad", "parent_id": team.id})
    told = {
        "listed": [group.full_path for group in me.groups.list(search="py-firm", iterator=True, per_page=1)],
        "subgroups": [group.full_path for group in firm.subgroups.list()],
        "descendants": [group.full_path for group in firm.descendant_groups.list(order_by="id")],
        "taken": refusal(lambda: me.groups.create({"name": "Firm", "path": "PY-FIRM"})),
    }
    team.name = "Crew"
    team.description = "All hands."
    team.save()
    told["edited"] = me.groups.get("py-firm/team").full_name
    me.projects.create({"name": "Shop", "namespace_id": team.id})
    told["projects"] = [project.path_with_namespace for project in firm.projects.list(include_subgroups=True)]
    team.delete()
    told["gone"] = refusal(lambda: me.groups.get("py-firm/team/squad"))
    return told


def projects():
    made = [me.projects.create({"name": f"Python {number}", "topics": ["snakes"]}) for number in range(5)]
    mine = {"owned": True, "search": "Python", "order_by": "id", "sort": "asc", "per_page": 2}
    pages = me.projects.list(iterator=True, **mine)
    project = made[0]
    told = {
        "total": [pages.total, pages.total_pages],
        "paged": [one.id for one in pages] == [one.id for one in made],
        "keyset": [one.id for one in me.projects.list(iterator=True, pagination="keyset", **mine)] == [one.id for one in made],
        "get": me.projects.get(project.path_with_namespace).id == project.id,
    }
    project.star()
    told["starred"] = [project.star_count, [one.id for one in me.users.list(username="maintainer")[0].starred_projects.list()] == [project.id]]
    project.unstar()
    told["unstarred"] = project.star_count
    project.description = "Changed"
    project.visibility = "internal"
    project.save()
    told["edited"] = [project.description, project.visibility, project.topics]
    project.archive()
    told["archived"] = project.archived
    project.unarchive()
    told["unarchived"] = project.archived

    fork = project.forks.create({"path": "py-fork", "name": "Py fork"})
    told["fork"] = [fork.path_with_namespace, [one.id for one in project.forks.list()] == [fork.id]]
    forked = me.projects.get(fork.id)
    forked.delete_fork_relation()
    forked.create_fork_relation(made[1].id)
    told["tied"] = me.projects.get(fork.id).forked_from_project["id"] == made[1].id
    told["of a person"] = project.id in [one.id for one in me.users.list(username="maintainer")[0].projects.list(get_all=True)]
    guest = administrator.users.list(username="guest")[0]
    told["for a person"] = guest.projects.create({"name": "Py for a guest"}).path_with_namespace
    told["deleted"] = me.http_delete(f"/projects/{forked.encoded_id}").status_code
    made[4].delete()
    told["gone"] = [refusal(lambda: me.projects.get(one.id)) for one in (fork, made[4])]
    return told


def members():
    group = me.groups.create({"name": "Py crew", "path": "py-crew"})
    project = me.projects.create({"name": "Boat", "namespace_id": group.id})
    developer = me.users.list(username="developer")[0]
    guest = me.users.list(username="guest")[0]
    told = {}
    for name, place, person in [("group", group, developer), ("project", project, guest)]:
        new = {"user_id": person.id, "access_level": gitlab.const.AccessLevel.DEVELOPER, "expires_at": "2999-01-01"}
        added = place.members.create(new)
        twice = refusal(lambda: place.members.create(new))
        added.access_level = gitlab.const.AccessLevel.REPORTER
        added.save()
        told[name] = {
            "added": [added.username, added.expires_at],
            "twice": twice,
            "edited": place.members.get(person.id).access_level,
            "all": [member.username for member in place.members_all.list(iterator=True, per_page=1)],
            "one of all": place.members_all.get(developer.id).access_level,
        }
    project.members.delete(guest.id)
    group.members.delete(developer.id)
    told["gone"] = [refusal(lambda: project.members.get(guest.id)), refusal(lambda: group.members.get(developer.id))]
    return told


def namespaces():
    return {
        "listed": "maintainer" in [namespace.full_path for namespace in me.namespaces.list(iterator=True)],
        "one": me.namespaces.get("maintainer").kind,
        "exists": me.namespaces.exists("maintainer").exists,
    }


def users():
    person = administrator.users.create(
        {"email": "py@example.com", "username": "py-person", "name": "Py", "password": "a long pass phrase of Py", "skip_confirmation": True}
    )
    told = {
        "searched": [one.username for one in administrator.users.list(search="py@example.com")],
        "taken": refusal(lambda: administrator.users.create({"email": "py@example.com", "username": "other", "name": "O", "password": "another long phrase"})),
        "not allowed": refusal(lambda: me.users.create({"email": "no@example.com", "username": "no", "name": "N", "reset_password": True})),
        "paged": len(administrator.users.list(iterator=True, per_page=1)) == len(administrator.users.list(get_all=True)),
    }
    person.name = "Py the Second"
    person.save()
    told["edited"] = administrator.users.get(person.id).name
    email = person.emails.create({"email": "py.second@example.com", "skip_confirmation": True})
    told["emails"] = [one.email for one in person.emails.list()]
    email.delete()
    told["sudo"] = administrator.http_get("/user", sudo=person.username)["username"]
    told["blocked"] = [person.block(), person.state]
    told["no sudo"] = refusal(lambda: administrator.http_get("/user", sudo="nobody-at-all"))
    told["unblocked"] = [person.unblock(), person.state]
    person.delete()
    told["gone"] = refusal(lambda: administrator.users.get(person.id))
    return told


def tokens():
    guest = administrator.users.list(username="guest")[0]
    made = guest.personal_access_tokens.create({"name": "Py", "scopes": ["read_user"], "expires_at": "2027-01-01"})
    theirs = gitlab.Gitlab(url, private_token=made.token)
    theirs.auth()
    told = {
        "made": [theirs.user.username, made.scopes, made.expires_at],
        "listed": made.id in [token.id for token in administrator.personal_access_tokens.list(user_id=guest.id, iterator=True)],
    }
    administrator.personal_access_tokens.delete(made.id)
    told["revoked"] = refusal(theirs.auth)
    return told


def applications():
    made = administrator.applications.create(
        {"name": "Py", "redirect_uri": "https://py.example.com/callback", "scopes": "read_api read_user", "confidential": True}
    )
    listed = [application.application_id for application in administrator.applications.list(iterator=True)]
    told = {"secret": made.secret != "", "listed": made.application_id in listed}
    administrator.applications.delete(made.id)
    told["gone"] = made.application_id not in [application.application_id for application in administrator.applications.list(iterator=True)]
    return told


def templates():
    kinds = {"dockerfiles": "Golang", "gitignores": "Python", "gitlabciymls": "Python", "licenses": "mit"}
    return {
        kind: len(getattr(me, kind).list(get_all=True)) > 0 and len(getattr(me, kind).get(name).content) > 0
        for kind, name in kinds.items()
    }


def notifications():
    told = {}
    places = {"everywhere": me, "group": me.groups.get("demo"), "project": me.projects.get("demo/storefront")}
    for name, place in places.items():
        settings = place.notificationsettings.get()
        before = settings.level
        settings.level = "custom"
        settings.new_note = True
        settings.save()
        after = place.notificationsettings.get()
        told[name] = [before, after.level, after.events["new_note"]]
        after.level = before
        after.save()
    return told


def tell(subject):
    try:
        return subject()
    except Exception:
        return traceback.format_exc()


subjects = [who, groups, projects, members, namespaces, users, tokens, applications, templates, notifications]
print(json.dumps({subject.__name__: tell(subject) for subject in subjects}))
