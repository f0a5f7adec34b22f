#!/usr/bin/env bash
# Base backups, the archive of the write-ahead log, and point-in-time restore of the cell's Postgres, with Barman's
# commands for cloud storage. Runs where Postgres runs, as its user. docs/operations/backup.md explains each command.
set -euo pipefail

usage='usage: backup.sh check | base | list | prune | archive WAL_PATH | fetch WAL_NAME TARGET_PATH | restore [--spare] DIRECTORY TIME|latest | recovered DIRECTORY'
here=$(cd "$(dirname "$0")" && pwd)

# Postgres runs archive and fetch with an environment of its own, so the settings are read from a file.
config=${BACKUP_CONFIG:-$here/backup.env}
[ -r "$config" ] || { echo "backup.sh: cannot read $config; copy backup.env.example and set BACKUP_CONFIG to it" >&2; exit 126; }
set -a
# shellcheck disable=SC1090
. "$config"
set +a
: "${BACKUP_URL:?set it in $config, for example s3://bucket/folder}"
: "${BACKUP_SERVER:=lending}"
: "${BACKUP_KEEP_DAYS:=8}"
[ -z "${BACKUP_TOOLS:-}" ] || PATH=$BACKUP_TOOLS:$PATH

store=(--cloud-provider "${BACKUP_PROVIDER:-aws-s3}")
[ -z "${BACKUP_ENDPOINT_URL:-}" ] || store+=(--endpoint-url "$BACKUP_ENDPOINT_URL")

# The console shows the age of the newest base backup. Barman brings Python and its driver of Postgres.
record_base="
import sys, psycopg2
with psycopg2.connect('') as connection:
    connection.cursor().execute('''INSERT INTO operations.base_backups (server, finished_at) VALUES (%s, now())
        ON CONFLICT (server) DO UPDATE SET finished_at = excluded.finished_at''', sys.argv[1:2])
"

base() {
  barman-cloud-backup --gzip --immediate-checkpoint "${store[@]}" "$BACKUP_URL" "$BACKUP_SERVER"
  python3 -c "$record_base" "$BACKUP_SERVER" ||
    echo "backup.sh: the base backup is complete, but its time is not recorded; is PGDATABASE the database of the cell?" >&2
}

# A server that was restored from this archive and writes to it would replace files of the one that it was copied from.
archive() {
  local path=$1 name=${1##*/} found status=0
  # In memory where there is such a folder: on a full disk Postgres frees space only after the file is archived.
  local memory=/dev/shm
  [ -d "$memory" ] && [ -w "$memory" ] || memory=${TMPDIR:-/tmp}
  found=$(mktemp -d "$memory/lending-archive-XXXXXX")
  # Says for each new file that it does not exist, so its output is shown for other failures only.
  barman-cloud-wal-restore --quiet --no-partial "${store[@]}" "$BACKUP_URL" "$BACKUP_SERVER" "$name" "$found/file" \
    2> "$found/output" || status=$?
  if [ "$status" -eq 1 ]; then
    rm -rf "$found"
    barman-cloud-wal-archive --gzip "${store[@]}" "$BACKUP_URL" "$BACKUP_SERVER" "$path"
    return
  fi
  if [ "$status" -ne 0 ]; then
    cat "$found/output" >&2
  elif ! cmp -s "$path" "$found/file"; then
    status=1
    echo "backup.sh: the archive holds $name with other content: another server archives as $BACKUP_SERVER" >&2
  fi
  rm -rf "$found"
  return "$status"
}

fetch() {
  local status=0
  barman-cloud-wal-restore --quiet "${store[@]}" "$BACKUP_URL" "$BACKUP_SERVER" "$1" "$2" || status=$?
  # Status 1: no such file, which ends the recovery. Other failures must not look like the end of the log: Postgres
  # stops at a status above 125.
  [ "$status" -le 1 ] || exit 126
  exit "$status"
}

# A setting of the recovery that stays would also stop a later one, and a standby that is copied from this server.
remove_settings() {
  local file=$1/postgresql.auto.conf pattern=$2
  touch "$file"
  cp -p "$file" "$file.new"
  grep -Eiv "^[[:space:]]*($pattern)" "$file" > "$file.new" || [ $? -eq 1 ]
  mv "$file.new" "$file"
}

restore() {
  local dir=$1 target=$2 is_spare=${3:-} time=()
  [ "$target" = latest ] || time=(--target-time "$target")
  if [ -e "$dir" ] && [ -n "$(ls -A "$dir")" ]; then
    echo "backup.sh: $dir is not empty; move its content away first" >&2
    exit 1
  fi
  # The newest base backup that was complete at that time.
  barman-cloud-restore "${store[@]}" "${time[@]}" "$BACKUP_URL" "$BACKUP_SERVER" auto "$dir"
  chmod 700 "$dir"
  # The server of the base backup may have been restored itself, or have been a spare. A cell that archives by this file
  # goes on archiving.
  remove_settings "$dir" "restore_command|recovery_target|recovery_end_command|archive_mode[[:space:]]*=?[[:space:]]*'?off"
  # With a target, Postgres refuses to start where the archive ends before it.
  {
    echo "restore_command = '\"$here/backup.sh\" fetch %f \"%p\"'"
    [ "$target" = latest ] || echo "recovery_target_time = '$target'"
    echo "recovery_target_action = 'promote'"
    echo "recovery_end_command = '\"$here/backup.sh\" recovered .'"
    [ -z "$is_spare" ] || echo "archive_mode = off"
  } >> "$dir/postgresql.auto.conf"
  touch "$dir/recovery.signal"
  echo "restored to $dir; start Postgres on it: it applies the log up to $target and then accepts writes"
}

case "${1:-}:$#" in
  check:1) barman-cloud-backup-list --test "${store[@]}" "$BACKUP_URL" "$BACKUP_SERVER" ;;
  base:1) base ;;
  list:1) barman-cloud-backup-list "${store[@]}" "$BACKUP_URL" "$BACKUP_SERVER" ;;
  prune:1)
    barman-cloud-backup-delete "${store[@]}" --retention-policy "RECOVERY WINDOW OF $BACKUP_KEEP_DAYS DAYS" \
      "$BACKUP_URL" "$BACKUP_SERVER"
    ;;
  archive:2) archive "$2" ;;
  fetch:3) fetch "$2" "$3" ;;
  restore:3) restore "$2" "$3" ;;
  restore:4)
    [ "$2" = --spare ] || { echo "$usage" >&2; exit 1; }
    restore "$3" "$4" spare
    ;;
  # Postgres runs it in its data folder when the log is applied.
  recovered:2) remove_settings "$2" 'recovery_target|recovery_end_command' ;;
  *)
    echo "$usage" >&2
    exit 1
    ;;
esac
