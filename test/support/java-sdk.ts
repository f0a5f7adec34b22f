/** The Java SDK: its tests, and its package for programs that use it. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { projectDir } from '#deploy/dev/dev-files.ts';

const run = promisify(execFile);
export const javaSdkDir = join(projectDir, 'libs', 'sdk-java');
const buildDir = join(projectDir, '.data', 'sdk-java');
export const javaSdkPackage = join(buildDir, 'lending-sdk-0.1.0.jar');
const minJavaVersion = 17;
const maxOutputBytes = 2 ** 24;

/** Why the Java SDK cannot be built here; undefined where it can. */
export async function missingForJavaSdk(): Promise<string | undefined> {
  try {
    const { stdout } = await run('javac', ['-version']);
    if (Number(/\d+/.exec(stdout)?.[0]) < minJavaVersion) return `its javac is ${stdout.trim()}, and 17 is the oldest`;
    await run('mvn', ['--version']);
    return undefined;
  } catch {
    return 'this machine has no JDK with Maven';
  }
}

export interface RunResult {
  readonly code: number;
  readonly output: string;
}

/** Runs the tests and builds the package. */
export function buildJavaSdk(variables: Readonly<Record<string, string>>): Promise<RunResult> {
  const options = ['-B', '--no-transfer-progress', '-Dstyle.color=never', `-DbuildDirectory=${buildDir}`];
  return execute('mvn', [...options, 'package'], { cwd: javaSdkDir, variables });
}

/** With the libraries that the topics need: the class path of the tests that `buildJavaSdk` has run. */
export function javaTopicClassPath(): string {
  const report = readFileSync(join(buildDir, 'surefire-reports', 'TEST-lending.JsonTest.xml'), 'utf8');
  const [, classPath] = /name="surefire.test.class.path" value="([^"]+)"/.exec(report) ?? [];
  if (classPath === undefined)
    throw new Error('the report of the tests in Java has no class path; build the SDK first');
  return classPath;
}

export function runJava(file: string, cwd: string, variables: Readonly<Record<string, string>>): Promise<RunResult> {
  return execute('java', ['-cp', javaSdkPackage, file], { cwd, variables });
}

function execute(
  command: string,
  args: readonly string[],
  { cwd, variables }: { readonly cwd: string; readonly variables: Readonly<Record<string, string>> },
): Promise<RunResult> {
  const options = { cwd, env: { ...process.env, ...variables }, maxBuffer: maxOutputBytes };
  return new Promise((resolve) => {
    execFile(command, args, options, (error, out, err) => {
      resolve({ code: error === null ? 0 : 1, output: `${out}${err}` });
    });
  });
}
