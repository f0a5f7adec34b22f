/** Defines `lending doctor`. */
import type { Command } from 'commander';
import { describeCommand } from '../command.ts';
import type { DoctorOptions } from '../doctor.ts';
import { addTenancyOptions } from './caller-options.ts';

export function addDoctorCommand(program: Command): void {
  const doctor = program
    .command('doctor')
    .description('check the address, the clock, the key, a signed read and the contract versions, and say what to do');
  addTenancyOptions(doctor).action(async (options: DoctorOptions) => (await import('../doctor.ts')).runDoctor(options));
  describeCommand(doctor, {
    effect: 'reads',
    examples: ['doctor', 'doctor --profile acme --json'],
    details: 'Each check is a line, also where one before it failed. Exit code 1 where one fails.',
  });
}
