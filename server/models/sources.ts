import { largest } from "#contract/lists.ts";
import type { CatalogueFile, CatalogueModel } from "./catalogue.ts";

/** One file to download. */
export interface SourceFile {
  /** What it is called while it is downloaded; with ".gz" where it is compressed. */
  name: string;
  /** What it is called in the model's folder; undefined for an archive, whose contents have names of their own. */
  target: string | undefined;
  url: string;
  bytes: number | undefined;
  sha256: string | undefined;
  /** Lists of SHA-256 in which it stands, in order of preference. */
  checksums: readonly { url: string; isMirror: boolean }[];
}

/** One place that has the whole model. */
export interface Source {
  /** It is the operator's own: may be http, and in a private network. */
  isMirror: boolean;
  isArchive: boolean;
  files: readonly SourceFile[];
}

/**
 * Where a model can be had, in order: the operator's mirror, the archive's addresses, the files' addresses.
 * @param mirror MODELS_MIRROR: archives are at `<mirror>/<archive>`, files at `<mirror>/<model>/<file>`, the list of SHA-256 at
 *   `<mirror>/checksum.txt`
 */
export function sourcesOf(entry: CatalogueModel, mirror: string | undefined): Source[] {
  const { id, archive, files } = entry;
  const sources: Source[] = [];
  const base = mirror?.replace(/\/+$/, "");
  const published = archive?.checksums === undefined ? [] : [{ url: archive.checksums, isMirror: false }];
  const archiveFrom = (url: string, checksums: SourceFile["checksums"]): SourceFile[] =>
    archive === undefined
      ? []
      : [{ ...archive, bytes: archive.bytes, sha256: archive.sha256, target: undefined, url, checksums }];
  if (base !== undefined && archive !== undefined) {
    const here = archiveFrom(`${base}/${archive.name}`, [...published, { url: `${base}/checksum.txt`, isMirror: true }]);
    sources.push({ isMirror: true, isArchive: true, files: here });
  }
  if (base !== undefined && files.length > 0) {
    const here = files.map((file) => asSource(file, `${base}/${id}/${nameAt(file, file.urls[0])}`));
    sources.push({ isMirror: true, isArchive: false, files: here });
  }
  for (const url of archive?.urls ?? []) sources.push({ isMirror: false, isArchive: true, files: archiveFrom(url, published) });
  const ways = Math.max(0, largest(files.map(({ urls }) => urls.length)));
  for (let way = 0; way < ways; way++) {
    const here = files.map((file) => asSource(file, file.urls[Math.min(way, file.urls.length - 1)] ?? ""));
    sources.push({ isMirror: false, isArchive: false, files: here });
  }
  return sources;
}

function asSource(file: CatalogueFile, url: string): SourceFile {
  const { name, bytes, sha256 } = file;
  return { name: nameAt(file, url), target: name, url, bytes, sha256, checksums: [] };
}

function nameAt({ name }: CatalogueFile, url = ""): string {
  return url.endsWith(".gz") && !name.endsWith(".gz") ? `${name}.gz` : name;
}

/** Bytes of all its files; undefined when one is not known. */
export function bytesOf({ files }: Source): number | undefined {
  return files.reduce<number | undefined>(
    (sum, { bytes }) => (sum === undefined || bytes === undefined ? undefined : sum + bytes),
    0,
  );
}
