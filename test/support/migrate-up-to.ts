import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '#libs/database/migrate.ts';
import { migrationsDir } from '#libs/database/migration-file.ts';

/** Leaves the database as a release with the migrations up to this number had it. */
export async function migrateUpTo(databaseUrl: string, last: number): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'lending-migrations-'));
  try {
    for (const file of readdirSync(migrationsDir))
      if (Number.parseInt(file, 10) <= last) copyFileSync(join(migrationsDir, file), join(dir, file));
    await migrate(databaseUrl, { dir });
  } finally {
    rmSync(dir, { recursive: true });
  }
}
