/** Shell completion, by the library that reads the tree of commander. */
import completions, { script } from '@bomb.sh/tab';
import tab from '@bomb.sh/tab/commander';
import type { Command } from 'commander';
import { readProfiles } from './profiles.ts';

export function printCompletionScript(shell: string): void {
  if (shell === 'bash') console.log(wordsWithoutPackage);
  script(shell, 'lending', 'lending');
}

/** The script of the library calls this function of the package bash-completion, which not every machine has. */
const wordsWithoutPackage = `if ! declare -F _get_comp_words_by_ref > /dev/null; then
  _get_comp_words_by_ref() {
    cur=\${COMP_WORDS[COMP_CWORD]}
    prev=\${COMP_WORDS[COMP_CWORD - 1]}
    words=("\${COMP_WORDS[@]}")
    cword=$COMP_CWORD
  }
fi
`;

/** `tree` is changed: the library adds its own commands to it. */
export function printCompletions(tree: Command, words: string[]): void {
  const root = tab(tree, { completionCommandName: 'completion' });
  const names = Object.keys(profilesOrNone());
  for (const command of root.commands.values()) {
    const option = command.options.get('profile');
    if (option === undefined) continue;
    option.handler = (complete) => {
      for (const name of names) complete(name, '');
    };
  }
  completions.parse(words);
}

/** A broken file of profiles must not print an error at each press of Tab. */
function profilesOrNone(): object {
  try {
    return readProfiles(process.env).profiles;
  } catch {
    return {};
  }
}
