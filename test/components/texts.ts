// What people may enter: the longest, the oddest, and other scripts.
export const TITLE = 'How did the delivery of your order to the mountain hut go? '.repeat(5).slice(0, 255);
/** Without a space at which a line could break. */
export const UNBROKEN = 'Bartholomew-Maximilian'.repeat(12).slice(0, 255);
export const ADDRESS = `${'a.very.long.name.'.repeat(4).slice(0, 63)}x@${`${'department'.repeat(6)}.`.repeat(3).slice(0, 181)}.example`;
export const ARABIC = 'كيف كان طلبك من متجرنا؟ نودّ أن نعرف رأيك في التوصيل.';
export const HEBREW = 'נועה כהן';
/** Names in six scripts. */
export const SCRIPTS = ['محمد العربي', '山田 太郎', 'Екатерина Иванова', 'Γιώργος Παπαδόπουλος', HEBREW, '김민준'];
export const MILLIONS = 1_234_567;
