"""Runs python3-gitlab against a gateway, and prints the result of each subject as JSON.

The environment has the gateway in GATEWAY, and tokens of a user and an administrator
in TOKEN and ADMINISTRATOR_TOKEN. If a subject raises an error, that is its result.
"""

import json
import os

import gitlab

from python_subjects import client, me, print_results

administrator = client(os.environ["ADMINISTRATOR_TOKEN"])


def refusal(work):
    """The class, status and message of the error."""
    try:
        work()
    except gitlab.exceptions.GitlabError as error:
        return [type(error).__name__, error.response_code, str(error.error_message)]
    return None


def who():
    return {
        "user": me.user.username,
        "version": me.version()[0],
        "emails": [email.email for email in me.user.emails.list()],
        "stranger": refusal(client("garbage").auth),
    }


def groups():
    firm = me.groups.create({"name": "The Firm", "path": "py-firm", "visibility": "internal"})
    team = me.groups.create({"name": "Team", "path": "team", "parent_id": firm.id})
    me.groups.create({"name": "Squad", "path": "squad", "parent_id": team.id})
    result = {
        "listed": [group.full_path for group in me.groups.list(search="py-firm", iterator=True, per_page=1)],
        "subgroups": [group.full_path for group in firm.subgroups.list()],
        "descendants": [group.full_path for group in firm.descendant_groups.list(order_by="id")],
        "taken": refusal(lambda: me.groups.create({"name": "Firm", "path": "PY-FIRM"})),
    }
    team.name = "Crew"
    team.description = "All hands."
    team.save()
    result["edited"] = me.groups.get("py-firm/team").full_name
    me.projects.create({"name": "Shop", "namespace_id": team.id})
    result["projects"] = [project.path_with_namespace for project in firm.projects.list(include_subgroups=True)]
    team.delete()
    result["gone"] = refusal(lambda: me.groups.get("py-firm/team/squad"))
    return result


def projects():
    made = [me.projects.create({"name": f"Python {number}", "topics": ["snakes"]}) for number in range(5)]
    mine = {"owned": True, "search": "Python", "order_by": "id", "sort": "asc", "per_page": 2}
    pages = me.projects.list(iterator=True, **mine)
    project = made[0]
    result = {
        "total": [pages.total, pages.total_pages],
        "paged": [one.id for one in pages] == [one.id for one in made],
        "keyset": [one.id for one in me.projects.list(iterator=True, pagination="keyset", **mine)] == [one.id for one in made],
        "get": me.projects.get(project.path_with_namespace).id == project.id,
    }
    project.star()
    result["starred"] = [project.star_count, [one.id for one in me.users.list(username="maintainer")[0].starred_projects.list()] == [project.id]]
    project.unstar()
    result["unstarred"] = project.star_count
    project.description = "Changed"
    project.visibility = "internal"
    project.save()
    result["edited"] = [project.description, project.visibility, project.topics]
    project.archive()
    result["archived"] = project.archived
    project.unarchive()
    result["unarchived"] = project.archived

    fork = project.forks.create({"path": "py-fork", "name": "Py fork"})
    result["fork"] = [fork.path_with_namespace, [one.id for one in project.forks.list()] == [fork.id]]
    forked = me.projects.get(fork.id)
    forked.delete_fork_relation()
    forked.create_fork_relation(made[1].id)
    result["tied"] = me.projects.get(fork.id).forked_from_project["id"] == made[1].id
    result["of a person"] = project.id in [one.id for one in me.users.list(username="maintainer")[0].projects.list(get_all=True)]
    guest = administrator.users.list(username="guest")[0]
    result["for a person"] = guest.projects.create({"name": "Py for a guest"}).path_with_namespace
    result["deleted"] = me.http_delete(f"/projects/{forked.encoded_id}").status_code
    made[4].delete()
    result["gone"] = [refusal(lambda: me.projects.get(one.id)) for one in (fork, made[4])]
    return result


def members():
    group = me.groups.create({"name": "Py crew", "path": "py-crew"})
    project = me.projects.create({"name": "Boat", "namespace_id": group.id})
    developer = me.users.list(username="developer")[0]
    guest = me.users.list(username="guest")[0]
    result = {}
    for name, place, person in [("group", group, developer), ("project", project, guest)]:
        new = {"user_id": person.id, "access_level": gitlab.const.AccessLevel.DEVELOPER, "expires_at": "2999-01-01"}
        added = place.members.create(new)
        twice = refusal(lambda: place.members.create(new))
        added.access_level = gitlab.const.AccessLevel.REPORTER
        added.save()
        result[name] = {
            "added": [added.username, added.expires_at],
            "twice": twice,
            "edited": place.members.get(person.id).access_level,
            "all": [member.username for member in place.members_all.list(iterator=True, per_page=1)],
            "one of all": place.members_all.get(developer.id).access_level,
        }
    project.members.delete(guest.id)
    group.members.delete(developer.id)
    result["gone"] = [refusal(lambda: project.members.get(guest.id)), refusal(lambda: group.members.get(developer.id))]
    return result


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
    result = {
        "searched": [one.username for one in administrator.users.list(search="py@example.com")],
        "taken": refusal(lambda: administrator.users.create({"email": "py@example.com", "username": "other", "name": "O", "password": "another long phrase"})),
        "not allowed": refusal(lambda: me.users.create({"email": "no@example.com", "username": "no", "name": "N", "reset_password": True})),
        "paged": len(administrator.users.list(iterator=True, per_page=1)) == len(administrator.users.list(get_all=True)),
    }
    person.name = "Py the Second"
    person.save()
    result["edited"] = administrator.users.get(person.id).name
    email = person.emails.create({"email": "py.second@example.com", "skip_confirmation": True})
    result["emails"] = [one.email for one in person.emails.list()]
    email.delete()
    result["sudo"] = administrator.http_get("/user", sudo=person.username)["username"]
    result["blocked"] = [person.block(), person.state]
    result["no sudo"] = refusal(lambda: administrator.http_get("/user", sudo="nobody-at-all"))
    result["unblocked"] = [person.unblock(), person.state]
    person.delete()
    result["gone"] = refusal(lambda: administrator.users.get(person.id))
    return result


def tokens():
    guest = administrator.users.list(username="guest")[0]
    made = guest.personal_access_tokens.create({"name": "Py", "scopes": ["read_user"], "expires_at": "2027-01-01"})
    theirs = client(made.token)
    theirs.auth()
    result = {
        "made": [theirs.user.username, made.scopes, made.expires_at],
        "listed": made.id in [token.id for token in administrator.personal_access_tokens.list(user_id=guest.id, iterator=True)],
    }
    administrator.personal_access_tokens.delete(made.id)
    result["revoked"] = refusal(theirs.auth)
    return result


def applications():
    made = administrator.applications.create(
        {"name": "Py", "redirect_uri": "https://py.example.com/callback", "scopes": "read_api read_user", "confidential": True}
    )
    listed = [application.application_id for application in administrator.applications.list(iterator=True)]
    result = {"secret": made.secret != "", "listed": made.application_id in listed}
    administrator.applications.delete(made.id)
    result["gone"] = made.application_id not in [application.application_id for application in administrator.applications.list(iterator=True)]
    return result


def templates():
    kinds = {"dockerfiles": "Golang", "gitignores": "Python", "gitlabciymls": "Python", "licenses": "mit"}
    return {
        kind: len(getattr(me, kind).list(get_all=True)) > 0 and len(getattr(me, kind).get(name).content) > 0
        for kind, name in kinds.items()
    }


def notifications():
    result = {}
    places = {"everywhere": me, "group": me.groups.get("demo"), "project": me.projects.get("demo/storefront")}
    for name, place in places.items():
        settings = place.notificationsettings.get()
        before = settings.level
        settings.level = "custom"
        settings.new_note = True
        settings.save()
        after = place.notificationsettings.get()
        result[name] = [before, after.level, after.events["new_note"]]
        after.level = before
        after.save()
    return result


def attributes():
    """Saves each attribute alone. Returns, for each kind of object, the attributes that read back another value."""
    group = me.groups.create({"name": "Py kept", "path": "py-kept"})
    project = me.projects.create({"name": "Kept", "namespace_id": group.id})
    person = administrator.users.create(
        {"email": "kept@example.com", "username": "py-kept-person", "name": "Kept", "password": "a long pass phrase of Py", "skip_confirmation": True}
    )
    written = json.loads(os.environ["ATTRIBUTES"])
    kept = {
        "user": (administrator.users, person),
        "group": (administrator.groups, administrator.groups.get(group.id)),
        "project": (administrator.projects, administrator.projects.get(project.id)),
    }
    differ = {}
    for kind, (manager, record) in kept.items():
        differ[kind] = []
        for one in written[kind]:
            setattr(record, one["name"], one["value"])
            record.save()
            again = getattr(manager.get(record.id), one["shown"], None) if one["shown"] else one["value"]
            if not reads(again, one["value"]):
                differ[kind].append([one["name"], one["value"], again])
    return differ


def reads(again, value):
    """Whether a value is what was written; an object may have further members."""
    if isinstance(value, dict):
        return isinstance(again, dict) and all(again.get(name) == member for name, member in value.items())
    return again == value


print_results(who, groups, projects, members, namespaces, users, tokens, applications, templates, notifications, attributes)
