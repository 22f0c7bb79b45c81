/** Draws previews: JPEG, at most 640 pixels wide and high. */
export interface Previewer {
  /** Draws an image file. @throws {CannotPreview} */
  ofImage(file: string, preview: string, signal: AbortSignal): Promise<{ width: number; height: number }>;
  /** Draws the first page of a PDF file. @throws {CannotPreview} */
  ofPdf(file: string, preview: string, signal: AbortSignal): Promise<void>;
  /**
   * Draws the first slide of a presentation (PPT, PPTX, ODP), or the thumbnail that the file contains.
   *
   * @param folder for unfinished work; not shared with anything else
   * @throws {CannotPreview} also when no program on this machine can draw it
   */
  ofSlides(file: string, preview: string, work: { folder: string; signal: AbortSignal }): Promise<void>;
}

/** The file is not of its declared type, or too big to be drawn. */
export class CannotPreview extends Error {
  override readonly name = 'CannotPreview';
}
