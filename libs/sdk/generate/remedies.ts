/** Generates what a caller does about each refusal, from the texts of the documentation. */
import { remedies } from '../../site/reference/remedies.ts';
import { pythonHeader } from './python-shapes.ts';
import { generatedHeader } from './shapes.ts';

const rows = Object.entries(remedies);
const what = 'What a caller does about each refusal.';

export const typescriptRemedies = [
  generatedHeader(what),
  'export const remedies: { readonly [code: string]: string } = {\n',
  ...rows.map(([code, text]) => `  ${code}: ${JSON.stringify(text)},\n`),
  '};\n',
].join('');

export const pythonRemedies = [
  pythonHeader(what),
  'REMEDIES: dict[str, str] = {\n',
  ...rows.map(([code, text]) => `    "${code}": ${JSON.stringify(text)},\n`),
  '}\n',
].join('');

export const javaRemedies = [
  'package lending.contract;\n\nimport java.util.Map;\n\n',
  generatedHeader(what),
  'public final class Remedies {\n  private Remedies() {}\n\n',
  '  public static final Map<String, String> BY_CODE = Map.ofEntries(\n',
  rows.map(([code, text]) => `      Map.entry("${code}", ${JSON.stringify(text)})`).join(',\n'),
  ');\n}\n',
].join('');
