/** The formats of archives, by the endings of their addresses. */
export const archiveFormats: Readonly<Record<string, string>> = {
  'tar.gz': 'tar.gz',
  tgz: 'tar.gz',
  zip: 'zip',
  tar: 'tar',
  'tar.bz2': 'tar.bz2',
  tbz: 'tar.bz2',
  tbz2: 'tar.bz2',
  tb2: 'tar.bz2',
  bz2: 'tar.bz2',
};

const types: Readonly<Record<string, string>> = {
  'tar.gz': 'application/gzip',
  zip: 'application/zip',
  tar: 'application/x-tar',
  'tar.bz2': 'application/x-bzip2',
};

/** The media type of an archive, by its name. */
export const archiveType = (name: string): string =>
  types[Object.keys(types).find((format) => name.endsWith(`.${format}`))!]!;
