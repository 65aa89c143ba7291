// Prints, for each file that it is given, the jobs that gitlab-ci-local lists, as JSON. That command handles one file and
// ends its process: here it is imported afresh for each file, and told that it has ended.
const [module, ...files] = process.argv.slice(2);
const write = process.stdout.write.bind(process.stdout);
const found = {};
for (const [index, file] of files.entries()) {
  let output = '';
  let problems = '';
  await new Promise((resolve, reject) => {
    process.exit = resolve;
    process.stdout.write = (text) => ((output += text), true);
    process.stderr.write = (text) => ((problems += text), true);
    process.argv = [process.argv[0], 'gitlab-ci-local', '--list-json', '--file', file];
    import(`${module}?${index}`).catch(reject);
  });
  found[file] = output.trim() === '' ? { problems } : JSON.parse(output);
}
write(JSON.stringify(found), () => process.reallyExit(0));
