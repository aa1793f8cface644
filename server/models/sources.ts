import { largest } from "#contract/lists.ts";
import type { CatalogueFile, CatalogueModel } from "./catalogue.ts";

/** One file to download. */
export interface SourceFile {
  /** Its name during the download; with ".gz" if it is compressed. */
  name: string;
  /** Its name in the model's folder; undefined for an archive, whose contents have their own names. */
  target: string | undefined;
  url: string;
  bytes: number | undefined;
  sha256: string | undefined;
  /** Lists of SHA-256 in which it stands, in order of preference. */
  checksums: readonly { url: string; isMirror: boolean }[];
}

/** A place with the whole model. */
export interface Source {
  /** The operator's own mirror, which may use http and a private network. */
  isMirror: boolean;
  isArchive: boolean;
  files: readonly SourceFile[];
}

/**
 * The sources of a model in order: the operator's mirror, the archive's addresses, the files' addresses.
 * @param mirror MODELS_MIRROR: archives are at `<mirror>/<archive>`, files at `<mirror>/<model>/<file>`, the list of
 *   SHA-256 at `<mirror>/checksum.txt`
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
