/** Defines `lending completion`, and the help about exit codes. */
import { Argument, type Command } from 'commander';
import { type CommonOptions, describeCommand } from '../command.ts';
import { exitCodes, formatExitCodes } from '../exit-codes.ts';

/** What the shell of a person runs at each press of Tab. It is no command for people. */
const completionRequest = 'complete';

export function addCompletionCommands(program: Command, createTree: () => Promise<Command>): void {
  const completion = program
    .command('completion')
    .description('print the completion script of a shell')
    .addArgument(new Argument('<shell>', 'the shell').choices(['bash', 'zsh', 'fish']))
    .action(async (shell: string) => (await import('../completion.ts')).printCompletionScript(shell));
  describeCommand(completion, {
    effect: 'reads',
    examples: [
      'completion bash > ~/.local/share/bash-completion/completions/lending',
      'completion zsh > ~/.zsh/completions/_lending',
      'completion fish > ~/.config/fish/completions/lending.fish',
    ],
    details: `
The script completes the word lending. Where it is no command of your shell yet, run "npm link" in the folder of the repository, or
add alias lending='/path/to/deploy/dev/lending'. --json changes nothing.`,
  });
  program
    .command(completionRequest, { hidden: true })
    .argument('[words...]')
    .action(async (words: string[]) => (await import('../completion.ts')).printCompletions(await createTree(), words));
}

export function addExitCodesCommand(program: Command): void {
  const codes = program
    .command('exit-codes')
    .description('list the exit codes')
    .action(({ json }: CommonOptions) =>
      console.log(json === true ? JSON.stringify(exitCodes, null, 2) : formatExitCodes()),
    );
  describeCommand(codes, { effect: 'reads', examples: ['exit-codes'], details: `Exit codes:\n${formatExitCodes()}` });
}
