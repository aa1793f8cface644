export interface Tool {
  name: string;
  /** What does not work without it, as the end of "Without it: ...". */
  without: string;
  packages: string[];
  /** Needed by everything, by the running product, by one of its features (optional), or by its tests. */
  when: "always" | "running" | "optional" | "testing";
  found(): boolean;
}

export const root: string;
export const node26: string;
export const tools: readonly Tool[];
/** The first executable of these names in PATH; a name with a slash is a path. */
export function findExecutable(...names: string[]): string | undefined;
/** Chromium or Chrome: from CHROMIUM, else from PATH. */
export function findChromium(): string | undefined;
/** Chromium without windows: the same engine with half the processor time. */
export function findHeadlessShell(): string | undefined;
export function findFirefox(): string | undefined;
/** WebKitGTK's own browser; undefined without it, or without its driver. */
export function findMiniBrowser(): string | undefined;
/** The path of a file ("libatomic.so.1") in the linker's usual folders. */
export function findLibrary(name: string): string | undefined;
export function installCommand(packages: readonly string[]): string;
/** Newest modification below these paths, in epoch ms. Folders count, too, so that a deletion is noticed. */
export function newestChange(paths: readonly string[]): number;
/** The folder of the newest PostgreSQL that is installed. */
export function postgresPrograms(): string | undefined;
