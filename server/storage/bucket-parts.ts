import type { ReadStream } from "node:fs";
import type { Readable } from "node:stream";
import { type MetadataValue, S3Store } from "@tus/s3-store";
import { StreamSplitter } from "@tus/utils";
import { isMissing } from "./bucket-errors.ts";

type Part = Awaited<ReturnType<S3Store["retrieveParts"]>>[number];

/** Begins the keys of rests: bytes that are too few for a part of their own. */
export const restPrefix = (key: string) => `${key}.part-`;

const { _newChunk: newChunk } = StreamSplitter.prototype;

/**
 * A splitter that was destroyed while it opened its next file kept the file open, and a place among the parts at once (@tus/utils 0.7).
 * Node ends a process whose garbage has an open file.
 */
StreamSplitter.prototype._newChunk = async function () {
  await newChunk.call(this);
  if (this.destroyed) await this._handleError();
};

/**
 * The store of tus, of which nothing is lost that was confirmed, whenever its process is killed. As it comes, it deletes the rest of the last
 * request before it has stored what is made of it, and counts parts behind one that is missing. Here each rest is named by the part that it
 * will be the beginning of: it stays until that part is stored, and means nothing from then on.
 */
export class DurableS3Store extends S3Store {
  /** By file: the number of the next part of the running request. */
  readonly #next = new Map<string, number>();

  /** Only what is there without a gap: parts are stored beside each other, and the one before may have been lost with its process. */
  protected override async retrieveParts(id: string, marker?: string): Promise<Part[]> {
    const parts = await super.retrieveParts(id, marker);
    return marker === undefined ? parts.filter(({ PartNumber }, index) => PartNumber === index + 1) : parts;
  }

  protected override async uploadParts(
    metadata: MetadataValue,
    source: Readable,
    firstNumber: number,
    offset: number,
  ): Promise<number> {
    const { id } = metadata.file;
    this.#next.set(id, firstNumber);
    try {
      const bytes = await super.uploadParts(metadata, source, firstNumber, offset);
      // The rest that this request began with is in a part now.
      if (this.#next.get(id) !== firstNumber) await this.#removeRest(id, firstNumber);
      return bytes;
    } finally {
      this.#next.delete(id);
    }
  }

  protected override uploadPart(
    metadata: MetadataValue,
    source: ReadStream | Readable | Buffer,
    number: number,
  ): Promise<string> {
    // Parts begin in their order: the rest comes after the last.
    this.#next.set(metadata.file.id, number + 1);
    return super.uploadPart(metadata, source, number);
  }

  protected override async uploadIncompletePart(id: string, source: ReadStream | Readable): Promise<string> {
    const stored = await this.client.putObject({ ...this.#rest(id, this.#next.get(id) ?? 1), Body: source });
    return stored.ETag ?? "";
  }

  protected override async getIncompletePart(id: string): Promise<Readable | undefined> {
    const found = await this.client.getObject(await this.#currentRest(id)).catch(orMissing);
    const body = found?.Body;
    // In Node it is one.
    return body !== undefined && "pipe" in body ? body : undefined;
  }

  protected override async getIncompletePartSize(id: string): Promise<number | undefined> {
    return (await this.client.headObject(await this.#currentRest(id)).catch(orMissing))?.ContentLength;
  }

  /** Not before what is made of it is stored. */
  protected override async deleteIncompletePart(): Promise<void> {}

  async #currentRest(id: string) {
    return this.#rest(id, (await this.retrieveParts(id)).length + 1);
  }

  #rest(id: string, number: number) {
    return { Bucket: this.bucket, Key: `${restPrefix(id)}${number}` };
  }

  /** What stays is removed with the file's other objects. */
  async #removeRest(id: string, number: number): Promise<void> {
    await this.client.deleteObject(this.#rest(id, number)).catch(() => undefined);
  }
}

function orMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error;
}
