/// Our parts of the page, put into the program when it is built (src/exports/report/page.*).
#pragma once

namespace brisance::exports {

extern const char* const kPageHtml;    ///< with places of the other parts, as {{three}}
extern const char* const kPageStyle;   ///< CSS
extern const char* const kPageScript;  ///< JavaScript: data and charts
extern const char* const kPageView;    ///< JavaScript: the moving pieces

}  // namespace brisance::exports
