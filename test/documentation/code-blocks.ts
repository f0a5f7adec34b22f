/** The code blocks of the documents for callers, and the commands of those for operators. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectDir } from '#deploy/dev/dev-files.ts';
import { sdks } from '#libs/site/navigation.ts';

export interface CodeBlock {
  readonly file: string;
  /** What follows the fence: the language. */
  readonly info: string;
  readonly code: string;
}

const guides = readdirSync(join(projectDir, 'docs', 'guide')).filter((name) => name.endsWith('.md'));
export const sdkReadmes = sdks.map(({ folder }) => `libs/${folder}/README.md`);

export function codeBlocks(): readonly CodeBlock[] {
  return ['README.md', ...sdkReadmes, ...guides.map((name) => `docs/guide/${name}`)].flatMap(codeBlocksOf);
}

export function codeBlocksOf(file: string): readonly CodeBlock[] {
  const text = readFileSync(join(projectDir, file), 'utf8');
  return [...text.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)].map(([, info = '', code = '']) => ({ file, info, code }));
}

/** The only block of a document that begins with this text. */
export function blockOf(file: string, beginning: string): CodeBlock {
  const [found, ...others] = codeBlocksOf(file).filter(({ code }) => code.startsWith(beginning));
  if (found === undefined || others.length > 0) throw new Error(`${file} has not one block that begins ${beginning}`);
  return found;
}

export function codeBlock(file: string, beginning: string): string {
  return blockOf(file, beginning).code;
}

/** Programs in the documents for operators that a test cannot run as they are written, and what they need. */
export const programsElsewhere: Readonly<Record<string, string>> = {
  helm: 'a Kubernetes cluster; deploy/helm/chart.test.ts renders the chart by these commands',
  kubectl: 'a Kubernetes cluster',
  docker: 'a container engine; npm run test:image runs the image without one',
  psql: 'a server that is being restored; npm run drill restores one',
  pg_basebackup: 'a standby to make again',
  mv: 'the server of a lost database; npm run drill restores one',
  '/opt/lending-backup/backup.sh':
    'a server with its backups; npm run drill and test/tooling/backup-script.test.ts run it',
  'kafka-acls.sh': 'brokers with logins',
  'kafka-configs.sh': 'the brokers of the cell',
  'kafka-delete-records.sh': 'the brokers of the cell',
  'kafka-metadata-quorum.sh': 'the brokers of the cell',
  'kafka-topics.sh': 'the brokers of the cell',
  openssl: 'a server with a certificate',
  'npm run image': 'Debian or Ubuntu; npm run test:image runs it',
  'npm run test:image': 'Debian or Ubuntu',
};

export interface OperatorCommand {
  readonly file: string;
  /** The words from the program on. */
  readonly line: string;
  /** The name of a command of `lending`; undefined for another program. */
  readonly lending: string | undefined;
}

/** The commands in blocks of the documents for operators. */
export function operatorCommands(): readonly OperatorCommand[] {
  const folder = join('docs', 'operations');
  const documents = readdirSync(join(projectDir, folder), { recursive: true, encoding: 'utf8' });
  const files = [
    'deploy/README.md',
    ...documents.filter((name) => name.endsWith('.md')).map((name) => join(folder, name)),
  ];
  return files.flatMap((file) => {
    const text = readFileSync(join(projectDir, file), 'utf8').replaceAll(/\\\n\s*/g, '');
    const blocks = [...text.matchAll(/^ *```sh\n([\s\S]*?)^ *```$/gm)].map(([, code = '']) => code);
    return blocks
      .flatMap((code) => code.split('\n').map((line) => line.trim()))
      .flatMap((line) => {
        if (line === '' || /^(?:export|echo|metadata:) /.test(line)) return [];
        const [, lending] = /^npm run -s lending -- ((?:[a-z-]+ ?){1,2})/.exec(line) ?? [];
        return [{ file, line, lending: lending?.trim() }];
      });
  });
}
