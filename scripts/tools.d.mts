export interface Tool {
  name: string;
  /** What does not work without it, as the end of "Without it: ...". */
  without: string;
  packages: string[];
  /** What needs it: everything, the running product, one feature of the product (optional), or its tests. */
  when: "always" | "running" | "optional" | "testing";
  found(): boolean;
}

export const root: string;
export const node26: string;
export const tools: readonly Tool[];
/** The first executable of these names in PATH; a name with a slash is looked at as it is. */
export function findExecutable(...names: string[]): string | undefined;
/** Chromium or Chrome: CHROMIUM, then what is in PATH. */
export function findChromium(): string | undefined;
/** Chromium without its windows: the same engine for half the processor time. */
export function findHeadlessShell(): string | undefined;
export function findFirefox(): string | undefined;
/** WebKitGTK's own browser; undefined without it, or without the driver that it is spoken to by. */
export function findMiniBrowser(): string | undefined;
/** The path of a file ("libatomic.so.1") in the linker's usual folders. */
export function findLibrary(name: string): string | undefined;
export function installCommand(packages: readonly string[]): string;
/** Newest modification under these paths (of files and of folders, so that a deletion counts), in milliseconds since the epoch. */
export function newestChange(paths: readonly string[]): number;
/** The folder of the newest PostgreSQL that is installed. */
export function postgresPrograms(): string | undefined;
