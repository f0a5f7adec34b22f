/** The languages of the samples. One row adds a language to every operation of the reference and to the tests. */
import { commandLineSample } from './command-line.ts';
import { curlSample } from './curl.ts';
import { javaSample } from './java.ts';
import { pythonSample } from './python.ts';
import type { SampleRequest } from './sample-request.ts';
import { typescriptSample } from './typescript.ts';

export interface SampleLanguage {
  readonly id: string;
  readonly label: string;
  /** The name that the highlighter uses. */
  readonly highlight: string;
  readonly render: (request: SampleRequest) => string;
}

export const sampleLanguages: readonly SampleLanguage[] = [
  { id: 'curl', label: 'curl', highlight: 'bash', render: curlSample },
  { id: 'typescript', label: 'TypeScript', highlight: 'typescript', render: typescriptSample },
  { id: 'python', label: 'Python', highlight: 'python', render: pythonSample },
  { id: 'java', label: 'Java', highlight: 'java', render: javaSample },
  { id: 'cli', label: 'Command line', highlight: 'bash', render: commandLineSample },
];
