/** Draws previews: JPEG, at most 640 pixels wide and high. */
export interface Previewer {
  /** Of an image file. @throws {CannotPreview} */
  ofImage(file: string, preview: string): Promise<{ width: number; height: number }>;
  /** Of the first page of a PDF file. @throws {CannotPreview} */
  ofPdf(file: string, preview: string, signal: AbortSignal): Promise<void>;
}

/** The file is not what it says it is, or too big to be drawn. */
export class CannotPreview extends Error {
  override readonly name = 'CannotPreview';
}
