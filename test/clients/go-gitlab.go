// Runs go-gitlab against a gateway, and prints the result of each subject as JSON.
// Its types are strict: a record whose member has another type than GitLab's is an error.
// The environment has the gateway in GATEWAY, and tokens of a user and an administrator
// in TOKEN and ADMINISTRATOR_TOKEN. If a subject has an error, that is its result.
package main

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/xanzy/go-gitlab"
)

// refusal has the status and the message of an error, or what else it is.
func refusal(err error) interface{} {
	var answer *gitlab.ErrorResponse
	if errors.As(err, &answer) {
		return []interface{}{answer.Response.StatusCode, answer.Message}
	}
	return fmt.Sprint(err)
}

var (
	me            = client(os.Getenv("TOKEN"))
	administrator = client(os.Getenv("ADMINISTRATOR_TOKEN"))
	picture, _    = base64.StdEncoding.DecodeString(os.Getenv("PICTURE"))
)

func userNamed(name string) *gitlab.User {
	found, _, err := administrator.Users.ListUsers(&gitlab.ListUsersOptions{Username: gitlab.String(name)})
	check(err)
	return found[0]
}

func users() object {
	own, _, err := me.Users.CurrentUser()
	check(err)
	other, _, err := me.Users.GetUser(userNamed("guest").ID, gitlab.GetUsersOptions{})
	check(err)
	made, _, err := administrator.Users.CreateUser(&gitlab.CreateUserOptions{
		Email: gitlab.String("go@example.com"), Username: gitlab.String("go-person"), Name: gitlab.String("Go"),
		Password: gitlab.String("a long pass phrase of Go"), SkipConfirmation: gitlab.Bool(true),
		Provider: gitlab.String("saml"), ExternUID: gitlab.String("go"), ProjectsLimit: gitlab.Int(3),
	})
	check(err)
	changed, _, err := administrator.Users.ModifyUser(made.ID, &gitlab.ModifyUserOptions{
		Note: gitlab.String("Kept"), External: gitlab.Bool(true), PrivateProfile: gitlab.Bool(true), JobTitle: gitlab.String("Gopher"),
	})
	check(err)
	by, _, err := administrator.Users.ListUsers(&gitlab.ListUsersOptions{Provider: gitlab.String("saml"), ExternalUID: gitlab.String("go")})
	check(err)
	everybody, _, err := me.Users.ListUsers(&gitlab.ListUsersOptions{})
	check(err)
	memberships, _, err := administrator.Users.GetUserMemberships(userNamed("maintainer").ID, nil)
	check(err)
	_, _, taken := administrator.Users.CreateUser(&gitlab.CreateUserOptions{
		Email: gitlab.String("go@example.com"), Username: gitlab.String("other"), Name: gitlab.String("O"), Password: gitlab.String("another long phrase"),
	})
	result := object{
		"own": own.Username, "other": other.Username, "limit": made.ProjectsLimit,
		"changed":     []interface{}{changed.Note, changed.External, changed.PrivateProfile, changed.JobTitle},
		"identity":    changed.Identities[0].Provider,
		"by identity": len(by) == 1 && by[0].ID == made.ID, "everybody": len(everybody) > 3,
		"memberships": len(memberships) > 0, "taken": refusal(taken),
	}
	check(administrator.Users.BanUser(made.ID))
	banned, _, err := administrator.Users.GetUser(made.ID, gitlab.GetUsersOptions{})
	check(err)
	result["banned"] = banned.State
	check(administrator.Users.UnbanUser(made.ID))
	_, err = administrator.Users.DeleteUser(made.ID)
	check(err)
	_, _, gone := administrator.Users.GetUser(made.ID, gitlab.GetUsersOptions{})
	result["gone"] = refusal(gone)
	return result
}

func group(name string, parent int) *gitlab.Group {
	options := gitlab.CreateGroupOptions{Name: gitlab.String(name), Path: gitlab.String(name)}
	if parent != 0 {
		options.ParentID = gitlab.Int(parent)
	}
	made, _, err := me.Groups.CreateGroup(&options)
	check(err)
	return made
}

func places() object {
	firm, guests := group("go-firm", 0), group("go-guests", 0)
	team := group("go-team", firm.ID)
	level, expiry := gitlab.DeveloperPermissions, gitlab.ISOTime(time.Date(2999, 1, 1, 0, 0, 0, 0, time.UTC))
	edited, _, err := me.Groups.UpdateGroup(firm.ID, &gitlab.UpdateGroupOptions{
		Description: gitlab.String("Changed"), ProjectCreationLevel: gitlab.ProjectCreationLevel(gitlab.NoOneProjectCreation), MentionsDisabled: gitlab.Bool(true),
	})
	check(err)
	project, _, err := me.Projects.CreateProject(&gitlab.CreateProjectOptions{
		Name: gitlab.String("Go shop"), NamespaceID: gitlab.Int(team.ID), MergeMethod: gitlab.MergeMethod(gitlab.FastForwardMerge),
		IssuesAccessLevel: gitlab.AccessControl(gitlab.PrivateAccessControl), Topics: &[]string{"gophers"},
	})
	check(err)
	changed, _, err := me.Projects.EditProject(project.ID, &gitlab.EditProjectOptions{
		Description: gitlab.String("Changed"), SquashOption: gitlab.SquashOption(gitlab.SquashOptionAlways), BuildTimeout: gitlab.Int(1800),
	})
	check(err)

	_, err = me.Projects.ShareProjectWithGroup(project.ID, &gitlab.ShareWithGroupOptions{GroupID: gitlab.Int(guests.ID), GroupAccess: &level})
	check(err)
	shared, _, err := me.Groups.ShareGroupWithGroup(firm.ID, &gitlab.ShareGroupWithGroupOptions{GroupID: gitlab.Int(guests.ID), GroupAccess: &level, ExpiresAt: &expiry})
	check(err)
	full, _, err := me.Projects.GetProject("go-firm/go-team/go-shop", &gitlab.GetProjectOptions{Statistics: gitlab.Bool(true), License: gitlab.Bool(true)})
	check(err)
	simple, _, err := me.Projects.ListProjects(&gitlab.ListProjectsOptions{Simple: gitlab.Bool(true)})
	check(err)
	listed, _, err := administrator.Projects.ListProjects(&gitlab.ListProjectsOptions{Statistics: gitlab.Bool(true), Search: gitlab.String("go-shop")})
	check(err)
	groups, _, err := administrator.Groups.ListGroups(&gitlab.ListGroupsOptions{Statistics: gitlab.Bool(true), AllAvailable: gitlab.Bool(true)})
	check(err)
	seen, _, err := me.Groups.GetGroup(guests.ID, nil)
	check(err)
	people, _, err := me.Projects.ListProjectsUsers(project.ID, nil)
	check(err)
	above, _, err := me.Projects.ListProjectsGroups(project.ID, nil)
	check(err)
	found, _, err := me.Search.Projects("go-shop", &gitlab.SearchOptions{})
	check(err)

	withPicture, _, err := me.Projects.UploadAvatar(project.ID, bytes.NewReader(picture), "go.png")
	check(err)
	groupWithPicture, _, err := me.Groups.UploadAvatar(team.ID, bytes.NewReader(picture), "go.png")
	check(err)
	downloaded, _, err := me.Groups.DownloadAvatar(team.ID)
	check(err)

	moved, _, err := me.Projects.TransferProject(project.ID, &gitlab.TransferProjectOptions{Namespace: guests.ID})
	check(err)
	movedGroup, _, err := me.Groups.TransferSubGroup(team.ID, &gitlab.TransferSubGroupOptions{GroupID: gitlab.Int(guests.ID)})
	check(err)
	_, err = me.Groups.UnshareGroupFromGroup(firm.ID, guests.ID)
	check(err)
	_, _, taken := me.Groups.CreateGroup(&gitlab.CreateGroupOptions{Name: gitlab.String("Firm"), Path: gitlab.String("go-firm")})
	_, _, gone := me.Projects.GetProject("no/such", nil)
	return object{
		"edited":  []interface{}{edited.Description, edited.ProjectCreationLevel, edited.MentionsDisabled},
		"made":    []interface{}{project.MergeMethod, project.IssuesAccessLevel, project.Topics},
		"changed": []interface{}{changed.Description, changed.SquashOption, changed.BuildTimeout},
		"shared":  []interface{}{shared.SharedWithGroups[0].GroupFullPath, shared.SharedWithGroups[0].GroupAccessLevel, shared.SharedWithGroups[0].ExpiresAt},
		"full":    []interface{}{full.SharedWithGroups[0].GroupName, full.Statistics != nil, full.EmptyRepo, full.DefaultBranch},
		"simple":  len(simple) > 0, "listed": len(listed) == 1 && listed[0].ID == project.ID, "groups": len(groups) > 3,
		"one group": seen.FullPath, "people": people[0].Username, "above": len(above), "found": len(found),
		"avatars": []bool{withPicture.AvatarURL != "", groupWithPicture.AvatarURL != "", downloaded.Len() == len(picture)},
		"moved":   moved.PathWithNamespace, "moved group": movedGroup.FullPath,
		"taken": refusal(taken), "gone": refusal(gone),
	}
}

func members() object {
	crew := group("go-crew", 0)
	boat, _, err := me.Projects.CreateProject(&gitlab.CreateProjectOptions{Name: gitlab.String("Go boat"), NamespaceID: gitlab.Int(crew.ID)})
	check(err)
	developer, guest := userNamed("developer"), userNamed("guest")
	level, lower := gitlab.DeveloperPermissions, gitlab.ReporterPermissions
	inGroup, _, err := me.GroupMembers.AddGroupMember(crew.ID, &gitlab.AddGroupMemberOptions{UserID: gitlab.Int(developer.ID), AccessLevel: &level, ExpiresAt: gitlab.String("2999-01-01")})
	check(err)
	_, _, twice := me.GroupMembers.AddGroupMember(crew.ID, &gitlab.AddGroupMemberOptions{UserID: gitlab.Int(developer.ID), AccessLevel: &level})
	inProject, _, err := me.ProjectMembers.AddProjectMember(boat.ID, &gitlab.AddProjectMemberOptions{UserID: guest.ID, AccessLevel: &level})
	check(err)
	edited, _, err := me.ProjectMembers.EditProjectMember(boat.ID, guest.ID, &gitlab.EditProjectMemberOptions{AccessLevel: &lower})
	check(err)
	all, _, err := me.ProjectMembers.ListAllProjectMembers(boat.ID, nil)
	check(err)
	allOfGroup, _, err := me.Groups.ListAllGroupMembers(crew.ID, nil)
	check(err)
	inherited, _, err := me.ProjectMembers.GetInheritedProjectMember(boat.ID, developer.ID)
	check(err)
	return object{
		"group": []interface{}{inGroup.Username, inGroup.AccessLevel, inGroup.ExpiresAt}, "project": inProject.AccessLevel,
		"twice": refusal(twice), "edited": edited.AccessLevel, "all": []int{len(all), len(allOfGroup)}, "inherited": inherited.AccessLevel,
	}
}

func main() {
	printResults([]subject{{"users", users}, {"places", places}, {"members", members}})
}
