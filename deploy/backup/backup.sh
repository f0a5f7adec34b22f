#!/usr/bin/env bash
# Base backups, the archive of the write-ahead log, and point-in-time restore of the cell's Postgres, with Barman's
# commands for cloud storage. Runs where Postgres runs, as its user. docs/operations/backup.md explains each command.
set -euo pipefail

usage='usage: backup.sh check | base | list | prune | archive WAL_PATH | fetch WAL_NAME TARGET_PATH | restore [--spare] [--timeline NUMBER|latest] DIRECTORY TIME|latest | recovered DIRECTORY'
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

# The folder of `archive`. Signals end bash at once and run this, too; a trap of a signal would first wait for a command that hangs.
found=''
trap 'rm -rf "$found"' EXIT

# A server that was restored from this archive and writes to it would replace files of the one that it was copied from.
archive() {
  local path=$1 name=${1##*/} status=0
  # In memory where there is such a folder: on a full disk Postgres frees space only after the file is archived.
  local memory=/dev/shm
  [ -d "$memory" ] && [ -w "$memory" ] || memory=${TMPDIR:-/tmp}
  found=$(mktemp -d "$memory/lending-archive-XXXXXX")
  # Says for each new file that it does not exist, so its output is shown for other failures only.
  barman-cloud-wal-restore --quiet --no-partial "${store[@]}" "$BACKUP_URL" "$BACKUP_SERVER" "$name" "$found/file" \
    2> "$found/output" || status=$?
  if [ "$status" -eq 1 ]; then
    barman-cloud-wal-archive --gzip "${store[@]}" "$BACKUP_URL" "$BACKUP_SERVER" "$path"
    return
  fi
  if [ "$status" -ne 0 ]; then
    cat "$found/output" >&2
  elif ! cmp -s "$path" "$found/file"; then
    status=1
    echo "backup.sh: the archive holds $name with other content: another server archives as $BACKUP_SERVER" >&2
  fi
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

# Prints "PARENT REASON": the timeline that this one continues, and why it left it. Prints nothing where the archive has no such
# timeline.
read_branch() {
  local name scratch status=0
  name=$(printf '%08X.history' "$1")
  scratch=$(mktemp -d)
  barman-cloud-wal-restore --quiet "${store[@]}" "$BACKUP_URL" "$BACKUP_SERVER" "$name" "$scratch/file" \
    2> "$scratch/output" || status=$?
  # Status 1: no such file. The last line is of the timeline itself, those before it of the ones that it continues.
  case "$status" in
    0) awk -F'\t' '/^[0-9]/ { line = $1 " " $3 } END { print line }' "$scratch/file" ;;
    1) status=0 ;;
    *) cat "$scratch/output" >&2 ;;
  esac
  rm -rf "$scratch"
  return "$status"
}

# A restore to a moment begins a timeline that lacks what followed the moment. So a restore follows promotions, and no restore:
# a later moment is on the timeline before it.
find_timeline() {
  local timeline=$1 next branch
  for ((next = timeline + 1; ; next++)); do
    branch=$(read_branch "$next") || return
    [ -n "$branch" ] || break
    if [ "$branch" = "$timeline no recovery target specified" ]; then
      timeline=$next
    elif [ "${branch%% *}" = "$timeline" ]; then
      echo "timeline $next is left out: it began with a restore of timeline $timeline (${branch#* })" >&2
    fi
  done
  echo "$timeline"
}

base_timeline() {
  sed -n 's/^START TIMELINE: //p' "$1/backup_label" | grep . ||
    { echo "backup.sh: $1/backup_label names no START TIMELINE; state it with --timeline" >&2; return 1; }
}

# The newest base backup that was complete at that time, of this timeline or of one that it continues.
restore_base() {
  local dir=$1 timeline=$2 branch status=0
  shift 2
  if [ -z "$timeline" ] || [ "$timeline" = latest ]; then
    barman-cloud-restore "${store[@]}" "$@" "$BACKUP_URL" "$BACKUP_SERVER" auto "$dir"
    return
  fi
  barman-cloud-restore "${store[@]}" "$@" --target-tli "$timeline" "$BACKUP_URL" "$BACKUP_SERVER" auto "$dir" || status=$?
  # Status 1: no such base backup.
  [ "$status" -eq 1 ] && [ "$timeline" -gt 1 ] || return "$status"
  branch=$(read_branch "$timeline") || return
  if [ -z "$branch" ]; then
    echo "backup.sh: the archive has no timeline $timeline" >&2
    return 1
  fi
  restore_base "$dir" "${branch%% *}" "$@"
}

restore() {
  local is_spare='' timeline='' dir target start time=()
  while [ $# -gt 2 ]; do
    case "$1" in
      --spare) is_spare=yes && shift ;;
      --timeline)
        [[ $2 =~ ^([1-9][0-9]*|latest)$ ]] || { echo "backup.sh: --timeline is $2; expected a number or latest" >&2; exit 1; }
        timeline=$2 && shift 2
        ;;
      *) break ;;
    esac
  done
  [ $# -eq 2 ] || { echo "$usage" >&2; exit 1; }
  dir=$1 target=$2
  [ "$target" = latest ] || time=(--target-time "$target")
  if [ -e "$dir" ] && [ -n "$(ls -A "$dir")" ]; then
    echo "backup.sh: $dir is not empty; move its content away first" >&2
    exit 1
  fi
  restore_base "$dir" "$timeline" "${time[@]}"
  chmod 700 "$dir"
  if [ -z "$timeline" ]; then
    timeline=latest
    if [ "$target" != latest ]; then
      start=$(base_timeline "$dir")
      timeline=$(find_timeline "$start")
    fi
  fi
  # The server of the base backup may have been restored itself, or have been a spare. A cell that archives by this file
  # goes on archiving.
  remove_settings "$dir" "restore_command|recovery_target|recovery_end_command|archive_mode[[:space:]]*=?[[:space:]]*'?off"
  # With a target, Postgres refuses to start where the archive ends before it.
  {
    echo "restore_command = '\"$here/backup.sh\" fetch %f \"%p\"'"
    [ "$target" = latest ] || echo "recovery_target_time = '$target'"
    echo "recovery_target_timeline = '$timeline'"
    echo "recovery_target_action = 'promote'"
    echo "recovery_end_command = '\"$here/backup.sh\" recovered .'"
    [ -z "$is_spare" ] || echo "archive_mode = off"
  } >> "$dir/postgresql.auto.conf"
  touch "$dir/recovery.signal"
  echo "restored to $dir; start Postgres on it: it applies the log of timeline $timeline up to $target and then accepts writes"
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
  restore:*)
    shift
    restore "$@"
    ;;
  # Postgres runs it in its data folder when the log is applied.
  recovered:2) remove_settings "$2" 'recovery_target|recovery_end_command' ;;
  *)
    echo "$usage" >&2
    exit 1
    ;;
esac
