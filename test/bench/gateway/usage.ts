import { readFileSync } from 'node:fs';

/** The ticks in a second of CPU time, on Linux. */
const TICKS = 100;

/** The user and system CPU time of a process. */
export function cpuMsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return ((Number(fields[11]) + Number(fields[12])) * 1_000) / TICKS;
}

/** The memory of a process in bytes; pages that it shares with others count in parts (PSS). */
export const memoryOf = (pid: number): number =>
  Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1]) * 1_024;
