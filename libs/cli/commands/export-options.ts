/** The option of exports that names their file. */
import type { Command } from 'commander';

export function addOutputOption(command: Command): Command {
  return command.option('--output <file>', 'the file to write; it must not exist (default: standard output)');
}
