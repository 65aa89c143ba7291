// Works on code with go-gitlab in a gateway, and prints the result of each subject as JSON.
// Its types are strict: a record whose member has another type than GitLab's is an error.
// The environment has the gateway in GATEWAY, and a token of a user in TOKEN. If a subject has an error, that is its
// result. The subjects have the same names and results as those of the other clients.
package main

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"os"
	"sort"
	"strings"

	"github.com/xanzy/go-gitlab"
)

var (
	me      = client(os.Getenv("TOKEN"))
	project int
)

// everyPage gets a list with pages of so many.
func everyPage(size int, get func(gitlab.ListOptions) (*gitlab.Response, error)) {
	for page := 1; page != 0; {
		answer, err := get(gitlab.ListOptions{Page: page, PerPage: size})
		check(err)
		page = answer.NextPage
	}
}

func decoded(text string) string {
	bytes, err := base64.StdEncoding.DecodeString(text)
	check(err)
	return string(bytes)
}

func action(kind gitlab.FileActionValue, path string) *gitlab.CommitActionOptions {
	return &gitlab.CommitActionOptions{Action: &kind, FilePath: gitlab.String(path)}
}

func create(path, content string) *gitlab.CommitActionOptions {
	made := action(gitlab.FileCreate, path)
	made.Content = gitlab.String(content)
	return made
}

func commitTo(project int, options gitlab.CreateCommitOptions, branch, message string, actions ...*gitlab.CommitActionOptions) (*gitlab.Commit, *gitlab.Response, error) {
	options.Branch, options.CommitMessage, options.Actions = gitlab.String(branch), gitlab.String(message), actions
	return me.Commits.CreateCommit(project, &options)
}

func commit(branch, message string, actions ...*gitlab.CommitActionOptions) *gitlab.Commit {
	made, _, err := commitTo(project, gitlab.CreateCommitOptions{}, branch, message, actions...)
	check(err)
	return made
}

// head is the newest commit of a branch, a tag, or the commit itself.
func head(ref string) *gitlab.Commit {
	found, _, err := me.Commits.GetCommit(project, ref)
	check(err)
	return found
}

func branch(name string) *gitlab.Branch {
	found, _, err := me.Branches.GetBranch(project, name)
	check(err)
	return found
}

func noBranch(name string) interface{} {
	_, answer, err := me.Branches.GetBranch(project, name)
	return status(answer, err)
}

func makeBranch(name, ref string) (*gitlab.Branch, *gitlab.Response, error) {
	return me.Branches.CreateBranch(project, &gitlab.CreateBranchOptions{Branch: gitlab.String(name), Ref: gitlab.String(ref)})
}

func branches(project int, search string) list {
	options, names := gitlab.ListBranchesOptions{}, list{}
	if search != "" {
		options.Search = gitlab.String(search)
	}
	found, _, err := me.Branches.ListBranches(project, &options)
	check(err)
	for _, one := range found {
		names = append(names, one.Name)
	}
	return names
}

func tags(project int, options gitlab.ListTagsOptions) list {
	names := list{}
	everyPage(1, func(page gitlab.ListOptions) (*gitlab.Response, error) {
		options.ListOptions = page
		found, answer, err := me.Tags.ListTags(project, &options)
		for _, one := range found {
			names = append(names, one.Name)
		}
		return answer, err
	})
	return names
}

func titles(options gitlab.ListCommitsOptions) list {
	names := list{}
	everyPage(1, func(page gitlab.ListOptions) (*gitlab.Response, error) {
		options.ListOptions = page
		found, answer, err := me.Commits.ListCommits(project, &options)
		for _, one := range found {
			names = append(names, one.Title)
		}
		return answer, err
	})
	return names
}

func ofCommits() object {
	first := commit("main", "Begin", create("a.txt", "one\ntwo\n"), create("docs/b.md", "# B\n"), create("run.sh", "ls\n"))
	update, move, chmod := action(gitlab.FileUpdate, "a.txt"), action(gitlab.FileMove, "docs/c.md"), action(gitlab.FileChmod, "run.sh")
	update.Content, update.Encoding = gitlab.String(base64.StdEncoding.EncodeToString([]byte("one\n2\n"))), gitlab.String("base64")
	move.PreviousPath, chmod.ExecuteFilemode = gitlab.String("docs/b.md"), gitlab.Bool(true)
	second := commit("main", "Go on\n\nWith more.", update, move, chmod)
	_, _, err := makeBranch("picked", first.ID)
	check(err)
	picked, _, err := me.Commits.CherryPickCommit(project, second.ID, &gitlab.CherryPickCommitOptions{Branch: gitlab.String("picked")})
	check(err)
	revert := func() (*gitlab.Commit, *gitlab.Response, error) {
		return me.Commits.RevertCommit(project, picked.ID, &gitlab.RevertCommitOptions{Branch: gitlab.String("picked")})
	}
	reverted, _, err := revert()
	check(err)
	_, again, againErr := revert()
	comment, _, err := me.Commits.PostCommitComment(project, second.ID, &gitlab.PostCommitCommentOptions{
		Note: gitlab.String("Why?"), Path: gitlab.String("a.txt"), Line: gitlab.Int(2), LineType: gitlab.String("new"),
	})
	check(err)
	_, _, err = me.Commits.PostCommitComment(project, first.ID, &gitlab.PostCommitCommentOptions{Note: gitlab.String("On all of it")})
	check(err)
	comments, _, err := me.Commits.GetCommitComments(project, second.ID, nil)
	check(err)
	notes := list{}
	for _, one := range comments {
		notes = append(notes, one.Note)
	}
	listed, _, err := me.Commits.ListCommits(project, &gitlab.ListCommitsOptions{RefName: gitlab.String("main"), WithStats: gitlab.Bool(true)})
	check(err)
	totals := list{}
	for _, one := range listed {
		totals = append(totals, one.Stats.Total)
	}
	changes, _, err := me.Commits.GetCommitDiff(project, second.ID, nil)
	check(err)
	diff := list{}
	for _, one := range changes {
		diff = append(diff, list{one.OldPath, one.NewPath, one.AMode, one.BMode, one.NewFile, one.RenamedFile, one.DeletedFile})
	}
	found, _, err := me.Commits.GetCommitRefs(project, second.ID, nil)
	check(err)
	refs := list{}
	for _, one := range found {
		refs = append(refs, list{one.Type, one.Name})
	}
	statuses, _, err := me.Commits.GetCommitStatuses(project, second.ID, nil)
	check(err)
	requests, _, err := me.Commits.ListMergeRequestsByCommit(project, second.ID)
	check(err)
	_, unsigned, unsignedErr := me.Commits.GetGPGSiganature(project, second.ID)
	nothing := action(gitlab.FileUpdate, "no.txt")
	nothing.Content = gitlab.String("x")
	_, refused, refusedErr := commitTo(project, gitlab.CreateCommitOptions{}, "main", "No", nothing)
	_, gone, goneErr := me.Commits.GetCommit(project, strings.Repeat("0", 40))
	return object{
		"made":              list{second.Title, second.Message, len(second.ParentIDs) == 1 && second.ParentIDs[0] == first.ID, second.AuthorName, second.Stats},
		"one":               list{head("main").ID == second.ID, head(second.ID[:8]).ShortID == second.ShortID},
		"listed":            titles(gitlab.ListCommitsOptions{RefName: gitlab.String("main")}),
		"of a path":         titles(gitlab.ListCommitsOptions{Path: gitlab.String("docs/c.md")}),
		"with statistics":   totals,
		"diff":              diff,
		"refs":              refs,
		"picked":            list{picked.Title, picked.ParentIDs[0] == first.ID},
		"reverted":          list{reverted.Title, reverted.ParentIDs[0] == picked.ID},
		"nothing to revert": status(again, againErr),
		"commented":         list{comment.Note, comment.Path, comment.Line, comment.Author.Username},
		"comments":          notes,
		"statuses":          statuses,
		"requests":          requests,
		"not signed":        status(unsigned, unsignedErr),
		"nothing changed":   status(refused, refusedErr),
		"gone":              status(gone, goneErr),
	}
}

func ofFiles() object {
	ref := gitlab.String("main")
	made, _, err := me.RepositoryFiles.CreateFile(project, "c/d e.txt", &gitlab.CreateFileOptions{
		Branch: ref, Content: gitlab.String("c\n"), CommitMessage: gitlab.String("Add c"),
	})
	check(err)
	changed, _, err := me.RepositoryFiles.UpdateFile(project, "c/d e.txt", &gitlab.UpdateFileOptions{
		Branch: ref, Content: gitlab.String("C\n"), CommitMessage: gitlab.String("Change c"),
		AuthorName: gitlab.String("Ann"), AuthorEmail: gitlab.String("ann@example.com"),
	})
	check(err)
	read, _, err := me.RepositoryFiles.GetFile(project, "c/d e.txt", &gitlab.GetFileOptions{Ref: ref})
	check(err)
	described, _, err := me.RepositoryFiles.GetFileMetaData(project, "c/d e.txt", &gitlab.GetFileMetaDataOptions{Ref: ref})
	check(err)
	now := head("main")
	raw, _, err := me.RepositoryFiles.GetRawFile(project, "c/d e.txt", &gitlab.GetRawFileOptions{Ref: ref})
	check(err)
	parts, _, err := me.RepositoryFiles.GetFileBlame(project, "a.txt", &gitlab.GetFileBlameOptions{Ref: ref})
	check(err)
	blame := list{}
	for _, one := range parts {
		blame = append(blame, list{strings.SplitN(one.Commit.Message, "\n", 2)[0], one.Lines})
	}
	_, twice, twiceErr := me.RepositoryFiles.CreateFile(project, "a.txt", &gitlab.CreateFileOptions{
		Branch: ref, Content: gitlab.String("x"), CommitMessage: gitlab.String("Again"),
	})
	_, stale, staleErr := me.RepositoryFiles.UpdateFile(project, "a.txt", &gitlab.UpdateFileOptions{
		Branch: ref, Content: gitlab.String("x"), CommitMessage: gitlab.String("Late"), LastCommitID: gitlab.String(now.ID),
	})
	_, err = me.RepositoryFiles.DeleteFile(project, "c/d e.txt", &gitlab.DeleteFileOptions{Branch: ref, CommitMessage: gitlab.String("Remove c")})
	check(err)
	_, gone, goneErr := me.RepositoryFiles.GetFile(project, "c/d e.txt", &gitlab.GetFileOptions{Ref: ref})
	same := *read
	same.Content = ""
	return object{
		"made":      list{made.FilePath, made.Branch},
		"changed":   list{changed.FilePath, now.AuthorName},
		"read":      list{read.FileName, read.FilePath, read.Size, read.Encoding, decoded(read.Content), read.Ref, read.ExecuteFilemode},
		"commits":   list{read.CommitID == now.ID, read.LastCommitID == now.ID},
		"described": *described == same,
		"raw":       string(raw),
		"blame":     blame,
		"twice":     status(twice, twiceErr),
		"stale":     status(stale, staleErr),
		"gone":      status(gone, goneErr),
	}
}

func ofContents() object {
	tree, id := list{}, ""
	everyPage(2, func(page gitlab.ListOptions) (*gitlab.Response, error) {
		found, answer, err := me.Repositories.ListTree(project, &gitlab.ListTreeOptions{ListOptions: page, Recursive: gitlab.Bool(true)})
		for _, one := range found {
			tree = append(tree, list{one.Path, one.Type, one.Mode})
			if one.Path == "a.txt" {
				id = one.ID
			}
		}
		return answer, err
	})
	inside, _, err := me.Repositories.ListTree(project, &gitlab.ListTreeOptions{Path: gitlab.String("docs"), Ref: gitlab.String("main")})
	check(err)
	folder := list{}
	for _, one := range inside {
		folder = append(folder, list{one.Name, one.Path})
	}
	_, none, noneErr := me.Repositories.ListTree(project, &gitlab.ListTreeOptions{Path: gitlab.String("none")})
	body, _, err := me.Repositories.Blob(project, id)
	check(err)
	var blob struct {
		Size                   int
		Encoding, Content, SHA string
	}
	check(json.Unmarshal(body, &blob))
	raw, _, err := me.Repositories.RawBlobContent(project, id)
	check(err)
	_, noBlob, noBlobErr := me.Repositories.Blob(project, strings.Repeat("0", 40))
	archive, _, err := me.Repositories.Archive(project, &gitlab.ArchiveOptions{SHA: gitlab.String("main")})
	check(err)
	zip, _, err := me.Repositories.Archive(project, &gitlab.ArchiveOptions{SHA: gitlab.String("main"), Format: gitlab.String("zip")})
	check(err)
	_, nowhere, nowhereErr := me.Repositories.Archive(project, &gitlab.ArchiveOptions{SHA: gitlab.String("nowhere")})
	return object{
		"tree":            tree,
		"of a folder":     folder,
		"no such folder":  status(none, noneErr),
		"blob":            list{blob.Size, blob.Encoding, decoded(blob.Content), blob.SHA == id},
		"raw blob":        string(raw),
		"no such blob":    status(noBlob, noBlobErr),
		"tar.gz":          hex.EncodeToString(archive[:2]),
		"zip":             string(zip[:2]),
		"no such archive": status(nowhere, nowhereErr),
	}
}

func ofBranches() object {
	before := head("main").ID
	made, _, err := makeBranch("topic/a+b", "main")
	check(err)
	_, _, err = makeBranch("behind", "main")
	check(err)
	_, err = me.Branches.DeleteBranch(project, "picked")
	check(err)
	top := commit("topic/a+b", "Topic", create("t.txt", "t\n")).ID
	started, _, err := commitTo(project, gitlab.CreateCommitOptions{StartBranch: gitlab.String("main")}, "started", "Start", create("s.txt", "s\n"))
	check(err)
	topic, standard := branch("topic/a+b"), list{}
	everyPage(1, func(page gitlab.ListOptions) (*gitlab.Response, error) {
		found, answer, err := me.Branches.ListBranches(project, &gitlab.ListBranchesOptions{ListOptions: page})
		for _, one := range found {
			if one.Default {
				standard = append(standard, one.Name)
			}
		}
		return answer, err
	})
	_, twice, twiceErr := makeBranch("behind", "main")
	_, nowhere, nowhereErr := makeBranch("new", "nowhere")
	main, mainErr := me.Branches.DeleteBranch(project, "main")
	result := object{
		"made":        list{made.Name, made.Commit.ID == before, made.Merged},
		"started":     started.ParentIDs[0] == before,
		"at":          topic.Commit.ID == top,
		"default":     standard,
		"shown":       list{topic.Protected, topic.Merged, topic.Default, topic.CanPush, topic.DevelopersCanPush, topic.DevelopersCanMerge},
		"listed":      branches(project, ""),
		"found":       branches(project, "^top"),
		"twice":       status(twice, twiceErr),
		"of nothing":  status(nowhere, nowhereErr),
		"the default": status(main, mainErr),
	}
	_, err = me.Branches.DeleteMergedBranches(project)
	check(err)
	waitFor(func() bool { return len(branches(project, "")) < 4 })
	result["not merged"] = branches(project, "")
	_, err = me.Branches.DeleteBranch(project, "started")
	check(err)
	gone, goneErr := me.Branches.DeleteBranch(project, "started")
	result["gone"] = list{noBranch("started"), status(gone, goneErr)}
	return result
}

func levels(all []*gitlab.BranchAccessDescription) list {
	numbers := list{}
	for _, one := range all {
		numbers = append(numbers, one.AccessLevel)
	}
	return numbers
}

func ofProtectedBranches() object {
	name := "topic/*"
	made, _, err := me.ProtectedBranches.ProtectRepositoryBranches(project, &gitlab.ProtectRepositoryBranchesOptions{
		Name: gitlab.String(name), PushAccessLevel: gitlab.AccessLevel(gitlab.MaintainerPermissions),
		MergeAccessLevel: gitlab.AccessLevel(gitlab.DeveloperPermissions), AllowForcePush: gitlab.Bool(true),
	})
	check(err)
	_, twice, twiceErr := me.ProtectedBranches.ProtectRepositoryBranches(project, &gitlab.ProtectRepositoryBranchesOptions{Name: gitlab.String(name)})
	one, _, err := me.ProtectedBranches.GetProtectedBranch(project, name)
	check(err)
	rules, _, err := me.ProtectedBranches.ListProtectedBranches(project, nil)
	check(err)
	listed := list{}
	for _, rule := range rules {
		listed = append(listed, rule.Name)
	}
	topic := branch("topic/a+b")
	result := object{
		"made":   list{made.Name, made.AllowForcePush},
		"levels": list{levels(one.PushAccessLevels), levels(one.MergeAccessLevels)},
		"words":  one.PushAccessLevels[0].AccessLevelDescription,
		"listed": listed,
		"twice":  status(twice, twiceErr),
		"branch": list{topic.Protected, topic.DevelopersCanMerge},
	}
	_, err = me.ProtectedBranches.UnprotectRepositoryBranches(project, name)
	check(err)
	_, gone, goneErr := me.ProtectedBranches.GetProtectedBranch(project, name)
	result["gone"] = list{status(gone, goneErr), branch("topic/a+b").Protected}
	// Older programs ask a branch itself.
	protected, _, err := me.Branches.ProtectBranch(project, "topic/a+b", &gitlab.ProtectBranchOptions{DevelopersCanPush: gitlab.Bool(true)})
	check(err)
	free, _, err := me.Branches.UnprotectBranch(project, "topic/a+b")
	check(err)
	result["by the branch"] = list{protected.Protected, protected.DevelopersCanPush, free.Protected}
	return result
}

func makeTag(name, ref, message string) (*gitlab.Tag, *gitlab.Response, error) {
	options := gitlab.CreateTagOptions{TagName: gitlab.String(name), Ref: gitlab.String(ref)}
	if message != "" {
		options.Message = gitlab.String(message)
	}
	return me.Tags.CreateTag(project, &options)
}

func tagRules() list {
	rules, _, err := me.ProtectedTags.ListProtectedTags(project, nil)
	check(err)
	names := list{}
	for _, one := range rules {
		names = append(names, one.Name)
	}
	return names
}

func ofTags() object {
	now := head("main").ID
	_, _, err := makeTag("v1/a", "main", "")
	check(err)
	made, _, err := makeTag("v2", "main", "The second")
	check(err)
	rule, _, err := me.ProtectedTags.ProtectRepositoryTags(project, &gitlab.ProtectRepositoryTagsOptions{
		Name: gitlab.String("v*"), CreateAccessLevel: gitlab.AccessLevel(gitlab.MaintainerPermissions),
	})
	check(err)
	same, _, err := me.ProtectedTags.GetProtectedTag(project, "v*")
	check(err)
	one, _, err := me.Tags.GetTag(project, "v1/a")
	check(err)
	at, _, err := me.Commits.GetCommitRefs(project, now, &gitlab.GetCommitRefsOptions{Type: gitlab.String("tag")})
	check(err)
	refs := []string{}
	for _, ref := range at {
		refs = append(refs, ref.Name)
	}
	sort.Strings(refs)
	_, twice, twiceErr := makeTag("v2", "main", "")
	_, nowhere, nowhereErr := makeTag("v3", "nowhere", "")
	result := object{
		"made":       list{made.Name, made.Message, made.Commit.ID == now, made.Target == now, made.Protected, made.Release},
		"light":      list{one.Name, one.Message, one.Target == now, one.Protected},
		"rule":       list{rule.Name, list{list{rule.CreateAccessLevels[0].AccessLevel, rule.CreateAccessLevels[0].AccessLevelDescription}}},
		"rules":      list{tagRules(), same.Name},
		"listed":     tags(project, gitlab.ListTagsOptions{OrderBy: gitlab.String("name"), Sort: gitlab.String("asc")}),
		"found":      tags(project, gitlab.ListTagsOptions{Search: gitlab.String("^v2")}),
		"refs":       refs,
		"twice":      status(twice, twiceErr),
		"of nothing": status(nowhere, nowhereErr),
	}
	_, err = me.ProtectedTags.UnprotectRepositoryTags(project, "v*")
	check(err)
	_, err = me.Tags.DeleteTag(project, "v1/a")
	check(err)
	_, gone, goneErr := me.Tags.GetTag(project, "v1/a")
	again, againErr := me.Tags.DeleteTag(project, "v1/a")
	result["gone"] = list{status(gone, goneErr), status(again, againErr)}
	result["left"] = list{tags(project, gitlab.ListTagsOptions{}), tagRules()}
	return result
}

func compared(from, to string) (*gitlab.Compare, *gitlab.Response, error) {
	return me.Repositories.Compare(project, &gitlab.CompareOptions{From: gitlab.String(from), To: gitlab.String(to)})
}

func ofComparing() object {
	between, _, err := compared("main", "topic/a+b")
	check(err)
	commits, diffs := list{}, list{}
	for _, one := range between.Commits {
		commits = append(commits, one.Title)
	}
	for _, one := range between.Diffs {
		diffs = append(diffs, one.NewPath)
	}
	same, _, err := compared("main", "main")
	check(err)
	_, nowhere, nowhereErr := compared("main", "nowhere")
	base, _, err := me.Repositories.MergeBase(project, &gitlab.MergeBaseOptions{Ref: &[]string{"main", "topic/a+b"}})
	check(err)
	_, none, noneErr := me.Repositories.MergeBase(project, &gitlab.MergeBaseOptions{Ref: &[]string{"main", "nowhere"}})
	people, _, err := me.Repositories.Contributors(project, &gitlab.ListContributorsOptions{OrderBy: gitlab.String("commits"), Sort: gitlab.String("desc")})
	check(err)
	contributors := list{}
	for _, one := range people {
		contributors = append(contributors, list{one.Name, one.Commits})
	}
	return object{
		"compared":      list{between.Commit.Title, commits, diffs},
		"flags":         list{between.CompareTimeout, between.CompareSameRef},
		"same":          list{same.Commit, same.Commits, same.Diffs, same.CompareSameRef},
		"merge base":    base.ID == head("main").ID,
		"no merge base": status(none, noneErr),
		"contributors":  contributors,
		"to nothing":    status(nowhere, nowhereErr),
	}
}

func ofForks() object {
	fork, _, err := me.Projects.ForkProject(project, &gitlab.ForkProjectOptions{Path: gitlab.String("go-code-fork"), Name: gitlab.String("Go code fork")})
	check(err)
	waitFor(func() bool {
		found, _, err := me.Projects.GetProject(fork.ID, nil)
		check(err)
		return found.ImportStatus == "finished"
	})
	made, _, err := commitTo(fork.ID, gitlab.CreateCommitOptions{}, "main", "In the fork", create("f.txt", "f\n"))
	check(err)
	_, apart, apartErr := me.Commits.GetCommit(project, made.ID)
	forks, _, err := me.Projects.ListProjectForks(project, nil)
	check(err)
	listed := list{}
	for _, one := range forks {
		listed = append(listed, one.ID == fork.ID)
	}
	return object{
		"made":     list{fork.ForkedFromProject.ID == project},
		"listed":   listed,
		"branches": branches(fork.ID, ""),
		"tags":     tags(fork.ID, gitlab.ListTagsOptions{}),
		"apart":    list{made.Title, status(apart, apartErr)},
	}
}

func main() {
	made, _, err := me.Projects.CreateProject(&gitlab.CreateProjectOptions{Name: gitlab.String("Go code")})
	check(err)
	project = made.ID
	printResults([]subject{
		{"commits", ofCommits}, {"files", ofFiles}, {"contents", ofContents}, {"branches", ofBranches},
		{"protected branches", ofProtectedBranches}, {"tags", ofTags}, {"comparing", ofComparing}, {"forks", ofForks},
	})
}
