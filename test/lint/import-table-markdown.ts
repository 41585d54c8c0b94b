import { IMPORT_TABLE, type ImportRow } from './import-table.ts';

const code = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ');

/** The import table as Markdown for CONTRIBUTING.md. */
export function importTableMarkdown(): string {
  const rows = Object.entries(IMPORT_TABLE).map(([service, row]) => {
    return `| \`${service}\` | ${workspaceCell(row)} |`;
  });
  return ['| Package | Workspace packages |', '|-|-|', ...rows].join('\n');
}

function workspaceCell({ workspacePackages, values = [] }: ImportRow): string {
  const parts = Object.entries(workspacePackages).map(([service, access]) =>
    access === 'all'
      ? service
      : `${service}: ${['types', code(values)].filter(Boolean).join(', ')}`,
  );
  return parts.join('; ') || 'nothing';
}
