import { IMPORT_TABLE } from './import-table.ts';

const FOLDERS = Object.keys(IMPORT_TABLE);
const folderOf = (workspace) => FOLDERS.find((folder) => folder.split('/').at(-1) === workspace);

const inFolders = (folders) => `^(?:${folders.join('|')})/`;
const foldersWhere = (predicate) => FOLDERS.filter((folder) => predicate(IMPORT_TABLE[folder]));

/** The files of the contract that may be imported where only its types may be. */
const WITHOUT_ZOD = FOLDERS.flatMap((folder) => IMPORT_TABLE[folder].values ?? []);
const WITHOUT_ZOD_PATH = `^packages/contract/src/(?:${WITHOUT_ZOD.join('|')})[.]ts$`;

const COMMON_RULES = [
  {
    name: 'files without zod',
    comment: 'Browsers load this file, so it loads no package and only files of the import table.',
    from: { path: WITHOUT_ZOD_PATH },
    to: { pathNot: WITHOUT_ZOD_PATH, dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'files of another package',
    comment: 'Import another package by its name.',
    from: { path: `^(${FOLDERS.join('|')})/` },
    to: { pathNot: '^$1/', dependencyTypes: ['local'], dependencyTypesNot: ['aliased'] },
  },
  {
    name: 'undeclared packages',
    comment: 'The package.json of this package does not list it.',
    from: { path: inFolders(FOLDERS) },
    to: { dependencyTypes: ['npm-no-pkg', 'unknown'] },
  },
  {
    name: 'development packages',
    comment: 'Only the types of development packages may be imported.',
    from: { path: inFolders(foldersWhere(({ development }) => !development)) },
    to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['npm', 'npm-peer', 'type-only'] },
  },
  {
    name: 'Node modules',
    comment: 'This package also runs outside Node.',
    from: { path: inFolders(foldersWhere(({ node }) => !node)) },
    to: { dependencyTypes: ['core'] },
  },
];

/** The rules of a row of the import table. */
const rulesOf = ([folder, { workspacePackages, values = [], only = {} }]) => [
  {
    name: `workspace packages of ${folder}`,
    comment: 'See test/lint/import-table.ts.',
    from: { path: inFolders([folder]) },
    to: {
      path: inFolders(FOLDERS),
      pathNot: inFolders([folder, ...Object.keys(workspacePackages).map(folderOf)]),
    },
  },
  ...Object.keys(workspacePackages)
    .filter((workspace) => workspacePackages[workspace] === 'types')
    .map((workspace) => ({
      name: `types of ${workspace} in ${folder}`,
      comment: 'Only types may be imported, and the files that the import table names.',
      from: { path: inFolders([folder]) },
      to: {
        path: inFolders([folderOf(workspace)]),
        pathNot: `/src/(?:${values.join('|')})[.]ts$`,
        dependencyTypesNot: ['type-only'],
      },
    })),
  ...Object.entries(only).map(([name, files]) => ({
    name: `${name} in ${folder}`,
    comment: `Only ${files.join(', ')} may import it.`,
    from: { path: inFolders([folder]), pathNot: files.map((file) => `^${folder}/${file}$`) },
    to: { path: `(?:^|/)node_modules/${name}/` },
  })),
];

/** The import table as rules of dependency-cruiser. */
export const IMPORT_RULES = [...COMMON_RULES, ...Object.entries(IMPORT_TABLE).flatMap(rulesOf)];
