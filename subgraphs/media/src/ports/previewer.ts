/** Draws previews: JPEG, at most 640 pixels wide and high. */
export interface Previewer {
  /** Of an image file. @throws {CannotPreview} */
  ofImage(file: string, preview: string, signal: AbortSignal): Promise<{ width: number; height: number }>;
  /** Of the first page of a PDF file. @throws {CannotPreview} */
  ofPdf(file: string, preview: string, signal: AbortSignal): Promise<void>;
  /**
   * Of the first slide of a presentation (PPT, PPTX, ODP), or of the picture of it that the file brings along.
   *
   * @param folder for unfinished work; not shared with anything else
   * @throws {CannotPreview} also when there is nothing on this machine that can draw it
   */
  ofSlides(file: string, preview: string, work: { folder: string; signal: AbortSignal }): Promise<void>;
}

/** The file is not what it says it is, or too big to be drawn. */
export class CannotPreview extends Error {
  override readonly name = 'CannotPreview';
}
