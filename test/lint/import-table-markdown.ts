import { IMPORT_TABLE, type ImportRow } from './import-table.js';

const code = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ');

/** The import table as Markdown for CONTRIBUTING.md. */
export function importTableMarkdown(): string {
  const rows = Object.entries(IMPORT_TABLE).map(([service, row]) => {
    return `| \`${service}\` | ${workspaceCell(row)} | ${npmCell(row)} |`;
  });
  return ['| Package | Workspace packages | npm packages |', '|-|-|-|', ...rows].join('\n');
}

function workspaceCell({ workspacePackages, values = [] }: ImportRow): string {
  const parts = Object.entries(workspacePackages).map(([service, access]) =>
    access === 'all'
      ? service
      : `${service}: ${['types', code(values)].filter(Boolean).join(', ')}`,
  );
  return parts.join('; ') || 'nothing';
}

function npmCell({ npmPackages, only = {}, types = [] }: ImportRow): string {
  const parts = [code(npmPackages)];
  for (const [name, [file]] of Object.entries(only)) parts.push(`\`${name}\` in \`${file}\` only`);
  if (types.length > 0) parts.push(`types of ${code(types)}`);
  return parts.filter(Boolean).join('; ') || 'nothing';
}
