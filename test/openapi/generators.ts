/**
 * `npm run test:generators`: OpenAPI Generator writes clients in four languages from schemas/openapi.json, and each is
 * compiled as it is; that in Python is imported, with every model. Needs Java and Maven. Without the compiler of a language it fails
 * where CI is set, and skips the language elsewhere.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectDir } from '#deploy/dev/dev-files.ts';

const version = '7.18.0';
const dir = join(projectDir, '.data', 'generators');
const jar = join(dir, `openapi-generator-cli-${version}.jar`);

interface Client {
  readonly language: string;
  readonly generator: string;
  readonly compiler: string;
  readonly args: readonly string[];
}

const typeScriptOptions = {
  compilerOptions: {
    target: 'es2022',
    module: 'es2022',
    moduleResolution: 'bundler',
    strict: true,
    noEmit: true,
    types: [],
    lib: ['es2022', 'dom'],
  },
  include: ['.'],
};

/** Compiling shows no name that is missing. */
const importPython = `
import subprocess, sys, venv
venv.create(".venv", with_pip=True)
python = ".venv/bin/python"
subprocess.run([python, "-m", "pip", "install", "--quiet", "."], check=True)
subprocess.run([python, "-I", "-c", "import openapi_client, openapi_client.api, openapi_client.models"], check=True)
`;

const clients: readonly Client[] = [
  {
    language: 'TypeScript',
    generator: 'typescript-fetch',
    compiler: process.execPath,
    args: [join(projectDir, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', '.'],
  },
  { language: 'Python', generator: 'python', compiler: 'python3', args: ['-c', importPython] },
  { language: 'Java', generator: 'java', compiler: 'mvn', args: ['-q', '-DskipTests', 'compile'] },
  { language: 'Go', generator: 'go', compiler: 'go', args: ['build', './...'] },
];

mkdirSync(dir, { recursive: true });
if (!existsSync(jar)) {
  const artifact = `org.openapitools:openapi-generator-cli:${version}`;
  run('mvn', ['-q', 'dependency:copy', `-Dartifact=${artifact}`, `-DoutputDirectory=${dir}`], dir);
}
const results = clients.map((client) => `${client.language}: ${compileClient(client)}`);
console.log(results.join('\n'));
const failures = process.env['CI'] === undefined ? ['fails'] : ['fails', 'skipped'];
process.exit(results.some((result) => failures.some((word) => result.includes(word))) ? 1 : 0);

function compileClient({ generator, compiler, args }: Client): string {
  if (!isFound(compiler)) return `skipped, ${compiler} is not on the PATH`;
  const output = join(dir, generator);
  rmSync(output, { recursive: true, force: true });
  const document = join(projectDir, 'schemas', 'openapi.json');
  run('java', ['-jar', jar, 'generate', '-i', document, '-g', generator, '-o', output], dir);
  writeFileSync(join(output, 'tsconfig.json'), JSON.stringify(typeScriptOptions));
  try {
    run(compiler, args, output);
    return 'compiles';
  } catch (cause) {
    const { stdout, stderr } = cause as { readonly stdout: Buffer; readonly stderr: Buffer };
    return `fails\n${`${stdout}${stderr}`.slice(0, 2_000)}`;
  }
}

function run(command: string, args: readonly string[], cwd: string): void {
  execFileSync(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 64 * 1024 * 1024 });
}

function isFound(command: string): boolean {
  try {
    execFileSync(command, [command === 'go' ? 'version' : '--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
